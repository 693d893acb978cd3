import { systemClock } from '../clock.ts';
import {
  type ApplyResult,
  type Candidate,
  ownTokens,
  type ProviderUpdate,
  planProvider,
  type StoredSkill,
  skillWords,
  versionKey,
} from '../registry/index.ts';
import type { CacheEntry } from '../transport/index.ts';
import { columnOf } from './classes.ts';
import type { Connection } from './connection.ts';
import { SQLITE, sqliteCode } from './errors.ts';
import { type Plan, planOf } from './plan.ts';
import {
  CANDIDATE_COLUMNS,
  documentOf,
  fromProvider,
  PROVIDER_COLUMNS,
  toCandidate,
  toProvider,
} from './rows.ts';
import { share, unshare } from './shared-keys.ts';
import { Terms } from './terms.ts';

/** What a writer can be asked to do. */
export type WriteRequest =
  | { kind: 'apply'; update: ProviderUpdate }
  | { kind: 'keep'; key: string; entry: CacheEntry }
  | { kind: 'drop'; key: string };

/** What became of a request. Only `apply` has a result. */
export type WriteOutcome = { result: ApplyResult | undefined } | { error: unknown };

/** How long a transaction takes up further requests, in milliseconds. */
const BATCH_MS = 20;
/** Rows of old changes and of old responses that are deleted at each update, besides twice as many as it may have added. */
const FORGET_AT_LEAST = 100;
/** The most that responses may take, in bytes, unless told otherwise: 2 GiB. */
export const MAX_RESPONSE_BYTES = 2 ** 31;
/** Responses that are deleted at once where they take too much. */
const RESPONSES_AT_ONCE = 16;

/** All that writes into the tables, over a connection of its own. */
export class Writer {
  readonly #db: Connection;
  readonly #maxResponseBytes: number;
  readonly #terms: Terms;
  /** What the index of words still has to learn, by number: the tokens of a skill, or that there is none any more. */
  readonly #unindexed = new Map<number, { column: string; words: string } | undefined>();

  constructor(db: Connection, { maxResponseBytes = MAX_RESPONSE_BYTES } = {}) {
    this.#db = db;
    this.#maxResponseBytes = maxResponseBytes;
    this.#terms = new Terms(db);
  }

  /**
   * Does `first`, and what `next` gives until it gives nothing or time is up, in one transaction. Where that fails, each of
   * them in its own, so that one cannot spoil the others. Outcomes come in the order of the requests.
   */
  runBatch(first: WriteRequest, next: () => WriteRequest | undefined): WriteOutcome[] {
    const requests = [first];
    try {
      return this.#transaction(() => {
        const outcomes: WriteOutcome[] = [{ result: this.#run(first) }];
        const end = systemClock.now() + BATCH_MS;
        for (let request = next(); request; request = systemClock.now() < end ? next() : undefined) {
          requests.push(request);
          outcomes.push({ result: this.#run(request) });
        }
        return outcomes;
      });
    } catch (error) {
      if (sqliteCode(error) === SQLITE.BUSY) {
        // Nothing was begun. What came meanwhile need not wait as long again.
        for (let request = next(); request; request = next()) requests.push(request);
        return requests.map(() => ({ error }));
      }
      if (requests.length === 1) return [{ error }];
      return requests.map((request) => this.#runAlone(request));
    }
  }

  /** Stores a skill that the store has or has had under `number`, or one that it has not. */
  put(skill: StoredSkill, number?: number): void {
    const { entry, authType, protocolVersion, contentHash, idKey, nameKey, isFlagged, descriptor } = skill;
    const { domain, id, name, capability_type, access, view, version, fetchedAt, freshUntil } = entry;
    const values = [
      capability_type,
      access,
      authType,
      versionKey(version),
      versionKey(protocolVersion),
      view,
      contentHash,
      idKey,
      nameKey,
      JSON.stringify(name),
      Number(isFlagged),
      fetchedAt,
      freshUntil,
      entry.unreachableSince ?? null,
    ];
    const before = number === undefined ? undefined : this.#release(number);
    if (number !== undefined) {
      this.#db.run(
        `UPDATE skills SET capability_type = ?, access = ?, auth_type = ?, version_key = ?, protocol_key = ?, view = ?,
           content_hash = ?, id_key = ?, name_key = ?, name = ?, is_flagged = ?, fetched_at = ?, fresh_until = ?, unreachable_since = ?, gone_since = NULL
         WHERE number = ?`,
        ...values,
        number,
      );
    }
    const rowid =
      number ??
      this.#db.insert(
        `INSERT INTO skills (capability_type, access, auth_type, version_key, protocol_key, view, content_hash, id_key,
           name_key, name, is_flagged, fetched_at, fresh_until, unreachable_since, domain, id)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...values,
        domain,
        id,
      );
    if (before) unshare(this.#db, before);
    share(this.#db, skill);
    this.#db.run('REPLACE INTO documents VALUES (?, ?, ?)', rowid, documentOf(skill), descriptor);
    for (const token of this.indexWords(rowid, skill)) if (/^\d/.test(token)) this.#terms.add(token.slice(1));
  }

  /** Leaves the tokens of a skill for {@link index}, and gives them. */
  indexWords(number: number, skill: Candidate): string[] {
    const { capability_type: capabilityType, access } = skill.entry;
    const tokens = ownTokens(skill);
    const column = columnOf({ capabilityType, access, authType: skill.authType });
    this.#unindexed.set(number, { column, words: tokens.join(' ') });
    return tokens;
  }

  /** Keeps what was learnt of a provider by a look at it. */
  look(update: ProviderUpdate): void {
    const { domain } = update;
    const before = this.#db.get(`SELECT ${PROVIDER_COLUMNS} FROM providers WHERE domain = ?`, domain);
    const count = this.#db.get(
      'SELECT count(*) AS count FROM skills WHERE domain = ? AND gone_since IS NULL',
      domain,
    );
    const after = planProvider(before && toProvider(before), update, count?.count as number);
    this.#db.run(
      'REPLACE INTO providers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...fromProvider(after),
    );
  }

  /**
   * Brings the index of words up to date, to be called at the end of a transaction: FTS5 writes out all that it has gathered
   * whenever a statement on another table could fail half way, which makes writing several times as slow.
   */
  index(): void {
    for (const [number, tokens] of this.#unindexed) {
      if (tokens === undefined) this.#db.run('DELETE FROM words WHERE rowid = ?', number);
      else this.#db.run(`REPLACE INTO words (rowid, ${tokens.column}) VALUES (?, ?)`, number, tokens.words);
    }
    this.#unindexed.clear();
  }

  #transaction<T>(work: () => T): T {
    try {
      return this.#db.transaction('IMMEDIATE', () => {
        const result = work();
        this.index();
        this.#terms.deleteUnused();
        return result;
      });
    } catch (error) {
      this.#terms.undo();
      this.#unindexed.clear();
      throw error;
    }
  }

  #runAlone(request: WriteRequest): WriteOutcome {
    try {
      return { result: this.#transaction(() => this.#run(request)) };
    } catch (error) {
      return { error };
    }
  }

  #run(request: WriteRequest): ApplyResult | undefined {
    if (request.kind === 'apply') return this.#apply(request.update);
    if (request.kind === 'keep') this.#keep(request.key, request.entry);
    else this.#drop(request.key);
    return undefined;
  }

  #apply(update: ProviderUpdate): ApplyResult {
    const plan = planOf(this.#db, update);
    this.#write(plan, update);
    this.look(update);
    this.#forget(
      update.forgetBefore,
      FORGET_AT_LEAST + 2 * (plan.result.changes.length + update.skills.length),
    );
    return plan.result;
  }

  #write({ plan, numbers, result }: Plan, { at }: ProviderUpdate): void {
    const numberOf = (id: string) => numbers.get(id) as number;
    for (const id of plan.remove) {
      const before = this.#release(numberOf(id));
      this.#db.run('UPDATE skills SET gone_since = ? WHERE number = ?', at, numberOf(id));
      if (before) unshare(this.#db, before);
      this.#db.run('DELETE FROM documents WHERE number = ?', numberOf(id));
      this.#unindexed.set(numberOf(id), undefined);
    }
    for (const id of plan.forget) this.#db.run('DELETE FROM skills WHERE number = ?', numberOf(id));
    for (const { id, freshUntil, unreachableSince } of plan.age) {
      this.#db.run(
        'UPDATE skills SET fresh_until = ?, unreachable_since = ? WHERE number = ?',
        freshUntil,
        unreachableSince,
        numberOf(id),
      );
    }
    for (const { skill, isSameContent } of plan.put) {
      const number = numbers.get(skill.entry.id);
      if (isSameContent) this.#confirm(skill, number as number);
      else this.put(skill, number);
    }
    for (const { at, kind, domain, id, isPrivate, members } of result.changes) {
      this.#db.run(
        'INSERT INTO changes (at, kind, domain, id, is_private, members) VALUES (?, ?, ?, ?, ?, ?)',
        at,
        kind,
        domain,
        id,
        Number(isPrivate),
        members ? JSON.stringify(members) : null,
      );
    }
  }

  #confirm(skill: StoredSkill, number: number): void {
    const { view, fetchedAt, freshUntil, unreachableSince = null } = skill.entry;
    this.#db.run(
      'UPDATE skills SET view = ?, is_flagged = ?, fetched_at = ?, fresh_until = ?, unreachable_since = ? WHERE number = ?',
      view,
      Number(skill.isFlagged),
      fetchedAt,
      freshUntil,
      unreachableSince,
      number,
    );
    const document = documentOf(skill);
    this.#db.run(
      'UPDATE documents SET entry = ? WHERE number = ? AND entry <> ?',
      document,
      number,
      document,
    );
  }

  /** Gives what is stored of a skill that is about to change or to go: its words may be nobody's then. */
  #release(number: number): Candidate | undefined {
    const row = this.#db.get(
      `SELECT ${CANDIDATE_COLUMNS} FROM skills JOIN documents USING (number) WHERE number = ?`,
      number,
    );
    const skill = row && toCandidate(row);
    if (skill) this.#terms.release(skillWords(skill).keys());
    return skill;
  }

  /** A step towards keeping nothing older than `before`. */
  #forget(before: number, rows: number): void {
    this.#db.run(
      `DELETE FROM changes WHERE number IN (SELECT number FROM changes WHERE at < ? ORDER BY at LIMIT ?)`,
      before,
      rows,
    );
    this.#db.run(
      `DELETE FROM responses WHERE rowid IN (SELECT rowid FROM responses WHERE fetched_at < ? LIMIT ?)`,
      before,
      rows,
    );
  }

  #keep(key: string, { text, ...entry }: CacheEntry): void {
    const plain = Buffer.from(text);
    const deflated = process.getBuiltinModule('node:zlib').deflateRawSync(plain, { level: 1 });
    const isDeflated = deflated.length < plain.length;
    this.#drop(key);
    this.#db.run(
      'INSERT INTO responses (key, entry, body, is_deflated, fetched_at) VALUES (?, ?, ?, ?, ?)',
      key,
      JSON.stringify(entry),
      isDeflated ? deflated : plain,
      Number(isDeflated),
      entry.fetchedAt,
    );
    while (this.#responseBytes() > this.#maxResponseBytes) {
      this.#db.run(
        `DELETE FROM responses WHERE rowid IN (
           SELECT rowid FROM responses ORDER BY fetched_at LIMIT ${RESPONSES_AT_ONCE}
         )`,
      );
    }
  }

  #drop(key: string): void {
    this.#db.run('DELETE FROM responses WHERE key = ?', key);
  }

  #responseBytes(): number {
    return this.#db.get('SELECT total FROM response_bytes')?.total as number;
  }
}
