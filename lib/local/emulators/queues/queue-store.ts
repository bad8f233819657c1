/** Queues and their messages in the cloud's database. */
import type { Storage } from '#local/contracts';
import type { QueueSettings } from './queue-settings.ts';

export interface Queue {
  readonly name: string;
  readonly arn: string;
  readonly settings: QueueSettings;
  readonly createdMs: number;
  readonly modifiedMs: number;
}

export interface Message {
  /** Its place: messages are given out in this order. */
  readonly sequence: number;
  readonly queue: string;
  readonly id: string;
  readonly body: string;
  /** As the sender gave them. */
  readonly attributes: string;
  readonly system: string;
  readonly sentMs: number;
  /** Hidden until then. */
  readonly visibleMs: number;
  readonly receiveCount: number;
  readonly firstReceivedMs: number | undefined;
  /** Of the last receipt. */
  readonly receipt: string | undefined;
  readonly groupId: string | undefined;
  readonly dedupeId: string | undefined;
}

export interface QueueRows {
  readonly queues: ReadonlyMap<string, Queue>;
  keep(queue: Queue): void;
  remove(name: string): void;
  add(message: Omit<Message, 'sequence'>): number;
  update(message: Message): void;
  drop(message: Message): void;
  find(queue: string, id: string): Message | undefined;
  /** Those that may be received, oldest first; of a group, none behind one that is being worked on. */
  visible(queue: Queue, nowMs: number, countMax: number): readonly Message[];
  count(queue: string, nowMs: number): { visible: number; inFlight: number; delayed: number };
  /** When the next hidden message can be seen. */
  nextVisibleMs(queue: string, nowMs: number): number | undefined;
  expire(queue: string, sentBeforeMs: number): void;
  purge(queue: string): void;
  /** What was sent under this deduplication id since then. */
  sentAs(
    queue: string,
    dedupeId: string,
    sinceMs: number,
  ): { id: string; sequence: number } | undefined;
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS queues (
    name TEXT PRIMARY KEY, arn TEXT NOT NULL, settings TEXT NOT NULL,
    created_ms INTEGER NOT NULL, modified_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS queue_messages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, id TEXT NOT NULL,
    body TEXT NOT NULL, attributes TEXT NOT NULL, system TEXT NOT NULL, sent_ms INTEGER NOT NULL,
    visible_ms INTEGER NOT NULL, receive_count INTEGER NOT NULL, first_received_ms INTEGER,
    receipt TEXT, group_id TEXT, dedupe_id TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS queue_messages_by_time ON queue_messages (queue, visible_ms);
  CREATE INDEX IF NOT EXISTS queue_messages_by_id ON queue_messages (queue, id);
  CREATE TABLE IF NOT EXISTS queue_dedupes (
    queue TEXT NOT NULL, dedupe_id TEXT NOT NULL, id TEXT NOT NULL, sequence INTEGER NOT NULL,
    sent_ms INTEGER NOT NULL, PRIMARY KEY (queue, dedupe_id)
  ) STRICT;`;

const INSERT = `INSERT INTO queue_messages (queue, id, body, attributes, system, sent_ms, visible_ms,
  receive_count, first_received_ms, receipt, group_id, dedupe_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const UPDATE = `UPDATE queue_messages SET queue = ?, attributes = ?, system = ?, sent_ms = ?,
  visible_ms = ?, receive_count = ?, first_received_ms = ?, receipt = ? WHERE sequence = ?`;
/** A message of a group waits for every one of it that is worked on, or earlier and delayed. */
const VISIBLE = `SELECT * FROM queue_messages AS m WHERE queue = ?1 AND visible_ms <= ?2
  AND (group_id IS NULL OR ?4 = 0 OR NOT EXISTS (SELECT 1 FROM queue_messages AS e
    WHERE e.queue = ?1 AND e.group_id = m.group_id AND e.visible_ms > ?2
    AND (e.sequence < m.sequence OR e.receive_count > 0)))
  ORDER BY sequence LIMIT ?3`;
const COUNT = `SELECT
  count(*) FILTER (WHERE visible_ms <= ?2) AS visible,
  count(*) FILTER (WHERE visible_ms > ?2 AND receive_count > 0) AS in_flight,
  count(*) FILTER (WHERE visible_ms > ?2 AND receive_count = 0) AS delayed
  FROM queue_messages WHERE queue = ?1`;

export function openQueueRows(storage: Storage): QueueRows {
  storage.exec(TABLES);
  const queues = new Map<string, Queue>();
  for (const row of storage.prepare('SELECT * FROM queues ORDER BY name').all()) {
    const queue = toQueue(row);
    queues.set(queue.name, queue);
  }
  const keepQueue = storage.prepare('INSERT OR REPLACE INTO queues VALUES (?, ?, ?, ?, ?)');
  const removeQueue = storage.prepare('DELETE FROM queues WHERE name = ?');
  const insert = storage.prepare(INSERT);
  const update = storage.prepare(UPDATE);
  const drop = storage.prepare('DELETE FROM queue_messages WHERE sequence = ?');
  const find = storage.prepare('SELECT * FROM queue_messages WHERE queue = ? AND id = ?');
  const visible = storage.prepare(VISIBLE);
  const count = storage.prepare(COUNT);
  const next = storage.prepare(
    'SELECT min(visible_ms) AS at FROM queue_messages WHERE queue = ? AND visible_ms > ?',
  );
  const expire = storage.prepare('DELETE FROM queue_messages WHERE queue = ? AND sent_ms <= ?');
  const purge = storage.prepare('DELETE FROM queue_messages WHERE queue = ?');
  const keepDedupe = storage.prepare('INSERT OR REPLACE INTO queue_dedupes VALUES (?, ?, ?, ?, ?)');
  const findDedupe = storage.prepare(
    'SELECT id, sequence FROM queue_dedupes WHERE queue = ? AND dedupe_id = ? AND sent_ms > ?',
  );
  return {
    queues,
    keep(queue) {
      queues.set(queue.name, queue);
      const { name, arn, settings, createdMs, modifiedMs } = queue;
      keepQueue.run(name, arn, JSON.stringify(settings), createdMs, modifiedMs);
    },
    remove(name) {
      queues.delete(name);
      removeQueue.run(name);
      purge.run(name);
    },
    add(message) {
      const { queue, id, dedupeId, sentMs } = message;
      const { lastInsertRowid } = insert.run(...columnsOf(message));
      const sequence = Number(lastInsertRowid);
      if (dedupeId !== undefined) keepDedupe.run(queue, dedupeId, id, sequence, sentMs);
      return sequence;
    },
    update(message) {
      const { queue, attributes, system, sentMs, visibleMs, receiveCount } = message;
      const { firstReceivedMs = null, receipt = null, sequence } = message;
      update.run(
        queue,
        attributes,
        system,
        sentMs,
        visibleMs,
        receiveCount,
        firstReceivedMs,
        receipt,
        sequence,
      );
    },
    drop: ({ sequence }) => void drop.run(sequence),
    find(queue, id) {
      const row = find.get(queue, id);
      return row === undefined ? undefined : toMessage(row);
    },
    visible: ({ name, settings }, nowMs, countMax) =>
      visible.all(name, nowMs, countMax, settings.isFifo ? 1 : 0).map(toMessage),
    count(queue, nowMs) {
      const row = count.get(queue, nowMs) ?? {};
      return {
        visible: Number(row['visible']),
        inFlight: Number(row['in_flight']),
        delayed: Number(row['delayed']),
      };
    },
    nextVisibleMs(queue, nowMs) {
      const at = next.get(queue, nowMs)?.['at'];
      return typeof at === 'number' ? at : undefined;
    },
    expire: (queue, sentBeforeMs) => void expire.run(queue, sentBeforeMs),
    purge: (queue) => void purge.run(queue),
    sentAs(queue, dedupeId, sinceMs) {
      const row = findDedupe.get(queue, dedupeId, sinceMs);
      return row && { id: String(row['id']), sequence: Number(row['sequence']) };
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

function columnsOf(message: Omit<Message, 'sequence'>) {
  const { queue, id, body, attributes, system, sentMs, visibleMs, receiveCount } = message;
  const { firstReceivedMs = null, receipt = null, groupId = null, dedupeId = null } = message;
  const given = [queue, id, body, attributes, system, sentMs, visibleMs, receiveCount] as const;
  return [...given, firstReceivedMs, receipt, groupId, dedupeId] as const;
}

function toQueue(row: Row): Queue {
  return {
    name: String(row['name']),
    arn: String(row['arn']),
    settings: JSON.parse(String(row['settings'])) as QueueSettings,
    createdMs: Number(row['created_ms']),
    modifiedMs: Number(row['modified_ms']),
  };
}

function toMessage(row: Row): Message {
  const text = (name: string): string | undefined =>
    typeof row[name] === 'string' ? row[name] : undefined;
  const first = row['first_received_ms'];
  return {
    sequence: Number(row['sequence']),
    queue: String(row['queue']),
    id: String(row['id']),
    body: String(row['body']),
    attributes: String(row['attributes']),
    system: String(row['system']),
    sentMs: Number(row['sent_ms']),
    visibleMs: Number(row['visible_ms']),
    receiveCount: Number(row['receive_count']),
    firstReceivedMs: first === null ? undefined : Number(first),
    receipt: text('receipt'),
    groupId: text('group_id'),
    dedupeId: text('dedupe_id'),
  };
}
