#include "CStudioPage.h"

/* Clang knows #embed, which C has since 2023, in every version of C, and would warn about that. */
#pragma clang diagnostic ignored "-Wc23-extensions"

/* For each file in Sources/StudioPage/Page: an array, and a line in the table below. */

static const unsigned char activity_js[] = {
#embed "../StudioPage/Page/activity.js"
};

static const unsigned char api_js[] = {
#embed "../StudioPage/Page/api.js"
};

static const unsigned char base_css[] = {
#embed "../StudioPage/Page/base.css"
};

static const unsigned char changes_view_js[] = {
#embed "../StudioPage/Page/changes-view.js"
};

static const unsigned char changes_css[] = {
#embed "../StudioPage/Page/changes.css"
};

static const unsigned char checks_view_js[] = {
#embed "../StudioPage/Page/checks-view.js"
};

static const unsigned char code_js[] = {
#embed "../StudioPage/Page/code.js"
};

static const unsigned char columns_menu_js[] = {
#embed "../StudioPage/Page/columns-menu.js"
};

static const unsigned char combobox_js[] = {
#embed "../StudioPage/Page/combobox.js"
};

static const unsigned char conflict_dialog_js[] = {
#embed "../StudioPage/Page/conflict-dialog.js"
};

static const unsigned char diagram_camera_js[] = {
#embed "../StudioPage/Page/diagram-camera.js"
};

static const unsigned char diagram_card_js[] = {
#embed "../StudioPage/Page/diagram-card.js"
};

static const unsigned char diagram_drawing_js[] = {
#embed "../StudioPage/Page/diagram-drawing.js"
};

static const unsigned char diagram_css[] = {
#embed "../StudioPage/Page/diagram.css"
};

static const unsigned char diagram_js[] = {
#embed "../StudioPage/Page/diagram.js"
};

static const unsigned char dialog_js[] = {
#embed "../StudioPage/Page/dialog.js"
};

static const unsigned char dom_js[] = {
#embed "../StudioPage/Page/dom.js"
};

static const unsigned char editor_js[] = {
#embed "../StudioPage/Page/editor.js"
};

static const unsigned char events_js[] = {
#embed "../StudioPage/Page/events.js"
};

static const unsigned char explain_js[] = {
#embed "../StudioPage/Page/explain.js"
};

static const unsigned char filter_line_js[] = {
#embed "../StudioPage/Page/filter-line.js"
};

static const unsigned char grid_editing_js[] = {
#embed "../StudioPage/Page/grid-editing.js"
};

static const unsigned char grid_css[] = {
#embed "../StudioPage/Page/grid.css"
};

static const unsigned char grid_js[] = {
#embed "../StudioPage/Page/grid.js"
};

static const unsigned char history_view_js[] = {
#embed "../StudioPage/Page/history-view.js"
};

static const unsigned char icon_svg[] = {
#embed "../StudioPage/Page/icon.svg"
};

static const unsigned char icons_js[] = {
#embed "../StudioPage/Page/icons.js"
};

static const unsigned char index_html[] = {
#embed "../StudioPage/Page/index.html"
};

static const unsigned char json_js[] = {
#embed "../StudioPage/Page/json.js"
};

static const unsigned char keyboard_js[] = {
#embed "../StudioPage/Page/keyboard.js"
};

static const unsigned char main_js[] = {
#embed "../StudioPage/Page/main.js"
};

static const unsigned char members_js[] = {
#embed "../StudioPage/Page/members.js"
};

static const unsigned char migrations_view_js[] = {
#embed "../StudioPage/Page/migrations-view.js"
};

static const unsigned char model_view_js[] = {
#embed "../StudioPage/Page/model-view.js"
};

static const unsigned char model_js[] = {
#embed "../StudioPage/Page/model.js"
};

static const unsigned char new_object_js[] = {
#embed "../StudioPage/Page/new-object.js"
};

static const unsigned char now_view_js[] = {
#embed "../StudioPage/Page/now-view.js"
};

static const unsigned char object_cells_js[] = {
#embed "../StudioPage/Page/object-cells.js"
};

static const unsigned char object_view_js[] = {
#embed "../StudioPage/Page/object-view.js"
};

static const unsigned char objects_view_js[] = {
#embed "../StudioPage/Page/objects-view.js"
};

static const unsigned char pending_js[] = {
#embed "../StudioPage/Page/pending.js"
};

static const unsigned char plot_js[] = {
#embed "../StudioPage/Page/plot.js"
};

static const unsigned char property_list_js[] = {
#embed "../StudioPage/Page/property-list.js"
};

static const unsigned char reading_js[] = {
#embed "../StudioPage/Page/reading.js"
};

static const unsigned char router_js[] = {
#embed "../StudioPage/Page/router.js"
};

static const unsigned char rows_js[] = {
#embed "../StudioPage/Page/rows.js"
};

static const unsigned char saves_list_js[] = {
#embed "../StudioPage/Page/saves-list.js"
};

static const unsigned char session_js[] = {
#embed "../StudioPage/Page/session.js"
};

static const unsigned char shell_css[] = {
#embed "../StudioPage/Page/shell.css"
};

static const unsigned char shell_js[] = {
#embed "../StudioPage/Page/shell.js"
};

static const unsigned char sizes_view_js[] = {
#embed "../StudioPage/Page/sizes-view.js"
};

static const unsigned char status_js[] = {
#embed "../StudioPage/Page/status.js"
};

static const unsigned char table_js[] = {
#embed "../StudioPage/Page/table.js"
};

static const unsigned char values_js[] = {
#embed "../StudioPage/Page/values.js"
};

static const unsigned char views_css[] = {
#embed "../StudioPage/Page/views.css"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct studio_page_file files[] = {
    FILE("activity.js", activity_js),
    FILE("api.js", api_js),
    FILE("base.css", base_css),
    FILE("changes-view.js", changes_view_js),
    FILE("changes.css", changes_css),
    FILE("checks-view.js", checks_view_js),
    FILE("code.js", code_js),
    FILE("columns-menu.js", columns_menu_js),
    FILE("combobox.js", combobox_js),
    FILE("conflict-dialog.js", conflict_dialog_js),
    FILE("diagram-camera.js", diagram_camera_js),
    FILE("diagram-card.js", diagram_card_js),
    FILE("diagram-drawing.js", diagram_drawing_js),
    FILE("diagram.css", diagram_css),
    FILE("diagram.js", diagram_js),
    FILE("dialog.js", dialog_js),
    FILE("dom.js", dom_js),
    FILE("editor.js", editor_js),
    FILE("events.js", events_js),
    FILE("explain.js", explain_js),
    FILE("filter-line.js", filter_line_js),
    FILE("grid-editing.js", grid_editing_js),
    FILE("grid.css", grid_css),
    FILE("grid.js", grid_js),
    FILE("history-view.js", history_view_js),
    FILE("icon.svg", icon_svg),
    FILE("icons.js", icons_js),
    FILE("index.html", index_html),
    FILE("json.js", json_js),
    FILE("keyboard.js", keyboard_js),
    FILE("main.js", main_js),
    FILE("members.js", members_js),
    FILE("migrations-view.js", migrations_view_js),
    FILE("model-view.js", model_view_js),
    FILE("model.js", model_js),
    FILE("new-object.js", new_object_js),
    FILE("now-view.js", now_view_js),
    FILE("object-cells.js", object_cells_js),
    FILE("object-view.js", object_view_js),
    FILE("objects-view.js", objects_view_js),
    FILE("pending.js", pending_js),
    FILE("plot.js", plot_js),
    FILE("property-list.js", property_list_js),
    FILE("reading.js", reading_js),
    FILE("router.js", router_js),
    FILE("rows.js", rows_js),
    FILE("saves-list.js", saves_list_js),
    FILE("session.js", session_js),
    FILE("shell.css", shell_css),
    FILE("shell.js", shell_js),
    FILE("sizes-view.js", sizes_view_js),
    FILE("status.js", status_js),
    FILE("table.js", table_js),
    FILE("values.js", values_js),
    FILE("views.css", views_css),
};

size_t studio_page_file_count(void) { return sizeof files / sizeof *files; }

struct studio_page_file studio_page_file_at(size_t index) { return files[index]; }
