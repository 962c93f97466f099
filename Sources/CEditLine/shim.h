#include <stdio.h>
#include <histedit.h>

/* libedit configures itself with el_set, el_get and history, which take variable lists of arguments that Swift can't pass.
   Each function below passes the arguments of one setting. The types are those that histedit.h names for it. */

/* Creates an editor on the standard streams. Swift can't name stdin, a global variable that any thread might change. */
static inline EditLine *editline_open(const char *program) { return el_init(program, stdin, stdout, stderr); }

/* The pointer that the callbacks get back from the editor. */
static inline int editline_set_context(EditLine *editor, void *context) {
    return el_set(editor, EL_CLIENTDATA, context);
}

static inline void *editline_context(EditLine *editor) {
    void *context = NULL;
    return el_get(editor, EL_CLIENTDATA, &context) == 0 ? context : NULL;
}

/* The prompt may contain escape sequences of the terminal between two characters \1: they take no room on the line. */
static inline int editline_set_prompt(EditLine *editor, char *(*prompt)(EditLine *)) {
    return el_set(editor, EL_PROMPT_ESC, prompt, '\1');
}

/* Restores the terminal when a signal stops or ends the program, and redraws the line when the window changes. */
static inline int editline_handle_signals(EditLine *editor) { return el_set(editor, EL_SIGNAL, 1); }

static inline int editline_use_emacs_keys(EditLine *editor) { return el_set(editor, EL_EDITOR, "emacs"); }

static inline int editline_bind(EditLine *editor, const char *key, const char *function) {
    return el_set(editor, EL_BIND, key, function, NULL);
}

static inline int editline_add_function(EditLine *editor, const char *name, const char *help,
                                        unsigned char (*function)(EditLine *, int)) {
    return el_set(editor, EL_ADDFN, name, help, function);
}

/* Connects a history that keeps the last entries. */
static inline int editline_set_history(EditLine *editor, History *entries, int limit) {
    HistEvent event;
    if (history(entries, &event, H_SETSIZE, limit) < 0) return -1;
    return el_set(editor, EL_HIST, history, entries);
}

static inline int editline_add_to_history(History *entries, const char *entry) {
    HistEvent event;
    return history(entries, &event, H_ENTER, entry);
}
