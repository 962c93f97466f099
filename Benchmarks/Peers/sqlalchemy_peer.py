"""Runs a workload of storebench with SQLAlchemy's ORM, and prints the median duration in seconds.

usage: sqlalchemy_peer.py WORKLOAD URL SCALE ROUNDS

Prints nothing for a workload that it doesn't implement. The first round is a warm-up and is not counted.
"""

import datetime
import statistics
import sys
import time
import uuid

from sqlalchemy import ForeignKey, String, create_engine, delete, event, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, selectinload


class Base(DeclarativeBase):
    pass


class Item(Base):
    __tablename__ = "peer_item"
    id: Mapped[int] = mapped_column(primary_key=True)
    uuid: Mapped[uuid.UUID]
    title: Mapped[str] = mapped_column(String)
    score: Mapped[float]
    created: Mapped[datetime.datetime]
    count: Mapped[int]


class Game(Base):
    __tablename__ = "peer_game"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    players: Mapped[list["Player"]] = relationship(back_populates="game", cascade="all, delete-orphan")


class Player(Base):
    __tablename__ = "peer_player"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    score: Mapped[int]
    game_id: Mapped[int | None] = mapped_column(ForeignKey("peer_game.id"), index=True)
    game: Mapped[Game | None] = relationship(back_populates="players")


START = datetime.datetime(2023, 11, 14)


def values(number):
    return dict(
        id=number,
        uuid=uuid.UUID(int=number * 0x9E3779B97F4A7C15 % 2**128),
        title=f"Item {number * 7919 % 10**15:015d}",
        score=number * 31 % 1000000 / 1000,
        created=START + datetime.timedelta(milliseconds=number),
        count=number % 1000,
    )


class Peer:
    def __init__(self, url, scale):
        self.scale = scale
        # The default driver differs between versions of SQLAlchemy.
        self.engine = create_engine(url.replace("postgresql://", "postgresql+psycopg2://"))
        if url.startswith("sqlite"):
            event.listen(self.engine, "connect", self.configure)
        Base.metadata.drop_all(self.engine)
        Base.metadata.create_all(self.engine)

    @staticmethod
    def configure(connection, _):
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    def scaled(self, count):
        return max(1, round(count * self.scale))

    def clear(self):
        with Session(self.engine) as session:
            for table in (Player, Game, Item):
                session.execute(delete(table))
            session.commit()

    def fill(self, count):
        self.clear()
        with self.engine.begin() as connection:
            connection.execute(Item.__table__.insert(), [values(n) for n in range(1, self.scaled(count) + 1)])

    def fill_graph(self):
        self.clear()
        self.graph_create()

    # The workloads, and the functions that create the data they start with.

    def insert(self):
        with Session(self.engine) as session:
            session.add_all([Item(**values(n)) for n in range(1, self.scaled(100_000) + 1)])
            session.commit()

    def fetch(self):
        with Session(self.engine) as session:
            return sum(len(i.title) + i.score + i.count for i in session.scalars(select(Item)))

    def look_up(self):
        count = self.scaled(100_000)
        with Session(self.engine) as session:
            for place in range(self.scaled(10_000)):
                session.get(Item, place * 7919 % count + 1).title

    def update(self, measured):
        with Session(self.engine) as session:
            items = session.scalars(select(Item)).all()
            with measured:
                for item in items:
                    item.count += 1
                session.commit()

    def remove(self, measured):
        with Session(self.engine) as session:
            items = session.scalars(select(Item)).all()
            with measured:
                for item in items:
                    session.delete(item)
                session.commit()

    def small_saves(self):
        for number in range(1, self.scaled(5000) + 1):
            with Session(self.engine) as session:
                session.add(Item(**values(number)))
                session.commit()

    def filter(self):
        for number in range(20):
            query = select(Item).where(Item.score > number * 40).order_by(Item.title, Item.id)
            with Session(self.engine) as session:
                sum(len(i.title) for i in session.scalars(query.limit(self.scaled(1000))))

    def graph_create(self):
        with Session(self.engine) as session:
            for number in range(self.scaled(1000)):
                players = [Player(name=f"Player {p}", score=p) for p in range(100)]
                session.add(Game(title=f"Game {number}", players=players))
            session.commit()

    def graph_prefetch(self):
        with Session(self.engine) as session:
            games = session.scalars(select(Game).options(selectinload(Game.players)))
            return sum(player.score for game in games for player in game.players)

    def cascade(self, measured):
        with Session(self.engine) as session:
            games = session.scalars(select(Game).limit(self.scaled(1000) // 2)).all()
            with measured:
                for game in games:
                    session.delete(game)
                session.commit()


class Measured:
    """Measures the duration of a `with` block."""

    def __enter__(self):
        self.start = time.perf_counter()

    def __exit__(self, *_):
        self.seconds = time.perf_counter() - self.start


def main(workload, url, scale, rounds):
    peer = Peer(url, float(scale))
    filled, graph = lambda: peer.fill(100_000), peer.fill_graph
    # Run before every round; run before the first round only; the work; whether the work measures only a part of itself.
    workloads = {
        "insert-100k": (peer.clear, None, peer.insert, False),
        "fetch-100k": (None, filled, peer.fetch, False),
        "point-10k": (None, filled, peer.look_up, False),
        "update-10k": (lambda: peer.fill(10_000), None, peer.update, True),
        "delete-10k": (lambda: peer.fill(10_000), None, peer.remove, True),
        "small-saves-full": (peer.clear, None, peer.small_saves, False),
        "filter-1k": (None, filled, peer.filter, False),
        "graph-create": (peer.clear, None, peer.graph_create, False),
        "graph-prefetch": (None, graph, peer.graph_prefetch, False),
        "cascade": (graph, None, peer.cascade, True),
    }
    if workload in workloads:
        before, first, work, measures_itself = workloads[workload]
        if first:
            first()
        times = []
        for _ in range(int(rounds) + 1):
            if before:
                before()
            measured = Measured()
            if measures_itself:
                work(measured)
            else:
                with measured:
                    work()
            times.append(measured.seconds)
        print(statistics.median(times[1:]))
    Base.metadata.drop_all(peer.engine)


if __name__ == "__main__":
    main(*sys.argv[1:])
