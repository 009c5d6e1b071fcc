import GRDB

/// The tables, and their history: one migration for each released version.
enum TaskSchema {
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
    migrator.registerMigration("1: tasks in sections") { db in
      try db.execute(sql: sections + tasks + words + steps)
    }
    migrator.registerMigration("2: revisions of steps") { db in
      // The last revision of each step, made or undone: by it, each program recognises its own
      // steps.
      try db.execute(sql: "ALTER TABLE steps ADD COLUMN revision INTEGER NOT NULL DEFAULT 0")
    }
    return migrator
  }()

  /// Triggers update the counts, so that no change of a task can omit them.
  private static let sections = """
    CREATE TABLE sections (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      -- The name as it is matched: whatever the case of its letters.
      nameKey TEXT NOT NULL UNIQUE,
      position INTEGER NOT NULL,
      openCount INTEGER NOT NULL DEFAULT 0,
      doneCount INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE UNIQUE INDEX sectionsByPosition ON sections (position);

    """

  /// Times are milliseconds since 1970, so that the value read is the value written.
  private static let tasks = """
    CREATE TABLE tasks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sectionID INTEGER NOT NULL REFERENCES sections (id),
      -- From 0, without gaps. Not UNIQUE: while others make room, two have the same.
      position INTEGER NOT NULL,
      title TEXT NOT NULL,
      titleKey TEXT NOT NULL,
      memo TEXT,
      createdAt INTEGER NOT NULL,
      completedAt INTEGER
    ) STRICT;
    CREATE INDEX tasksByPlace ON tasks (sectionID, position);
    CREATE INDEX openTasksByPlace ON tasks (sectionID, position) WHERE completedAt IS NULL;
    CREATE INDEX doneTasksByPlace ON tasks (sectionID, position) WHERE completedAt IS NOT NULL;
    CREATE INDEX tasksByTitle ON tasks (titleKey);

    CREATE TRIGGER countNewTask AFTER INSERT ON tasks BEGIN
      UPDATE sections SET openCount = openCount + (NEW.completedAt IS NULL),
        doneCount = doneCount + (NEW.completedAt IS NOT NULL) WHERE id = NEW.sectionID;
    END;
    CREATE TRIGGER countOldTask AFTER DELETE ON tasks BEGIN
      UPDATE sections SET openCount = openCount - (OLD.completedAt IS NULL),
        doneCount = doneCount - (OLD.completedAt IS NOT NULL) WHERE id = OLD.sectionID;
    END;
    CREATE TRIGGER countChangedTask AFTER UPDATE OF sectionID, completedAt ON tasks BEGIN
      UPDATE sections SET openCount = openCount - (OLD.completedAt IS NULL),
        doneCount = doneCount - (OLD.completedAt IS NOT NULL) WHERE id = OLD.sectionID;
      UPDATE sections SET openCount = openCount + (NEW.completedAt IS NULL),
        doneCount = doneCount + (NEW.completedAt IS NOT NULL) WHERE id = NEW.sectionID;
    END;

    """

  /// The index of words in titles and memos: it stores no text of its own, and triggers keep it up
  /// to date.
  ///
  /// Symbols such as emoji are words too, and marks belong to the character before them.
  private static let words = """
    CREATE VIRTUAL TABLE taskWords USING fts5 (
      title, memo, content = 'tasks', content_rowid = 'id',
      tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co So Mn Mc'"
    );
    CREATE TRIGGER indexNewTask AFTER INSERT ON tasks BEGIN
      INSERT INTO taskWords (rowid, title, memo) VALUES (NEW.id, NEW.title, NEW.memo);
    END;
    CREATE TRIGGER indexOldTask AFTER DELETE ON tasks BEGIN
      INSERT INTO taskWords (taskWords, rowid, title, memo)
        VALUES ('delete', OLD.id, OLD.title, OLD.memo);
    END;
    CREATE TRIGGER indexChangedTask AFTER UPDATE OF title, memo ON tasks BEGIN
      INSERT INTO taskWords (taskWords, rowid, title, memo)
        VALUES ('delete', OLD.id, OLD.title, OLD.memo);
      INSERT INTO taskWords (rowid, title, memo) VALUES (NEW.id, NEW.title, NEW.memo);
    END;

    """

  /// The steps, for undo and redo: each with its tasks as they were before it and after it, and the
  /// sections that it created.
  private static let steps = """
    CREATE TABLE steps (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      summary TEXT NOT NULL
    ) STRICT;
    CREATE TABLE stepTasks (
      stepID INTEGER NOT NULL,
      isAfter INTEGER NOT NULL,
      id INTEGER NOT NULL,
      sectionID INTEGER NOT NULL,
      position INTEGER NOT NULL,
      title TEXT NOT NULL,
      titleKey TEXT NOT NULL,
      memo TEXT,
      createdAt INTEGER NOT NULL,
      completedAt INTEGER,
      PRIMARY KEY (stepID, isAfter, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE stepSections (
      stepID INTEGER NOT NULL,
      id INTEGER NOT NULL,
      name TEXT NOT NULL,
      nameKey TEXT NOT NULL,
      position INTEGER NOT NULL,
      PRIMARY KEY (stepID, id)
    ) STRICT, WITHOUT ROWID;

    -- One row. Steps up to doneSteps are done, those above are taken back.
    CREATE TABLE state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      revision INTEGER NOT NULL,
      doneSteps INTEGER NOT NULL
    ) STRICT;
    INSERT INTO state VALUES (1, 0, 0);

    """
}
