import { type Collisions, MAX_COLLISIONS } from '../protocol/index.ts';
import { compareCodePoints } from './order.ts';
import { SortedSet } from './sorted-set.ts';
import { MAX_RIVALS, type Rivals, type StoredSkill } from './store.ts';
import { textBytes } from './text-bytes.ts';

/** What a key takes besides its text, what a group does besides its members, and what each of these takes; measured. */
const KEY_BYTES = 40;
const GROUP_BYTES = 400;
const MEMBER_BYTES = 16;
const COUNT_BYTES = 50;

/** Who shares a key. */
interface Group {
  /** In the order of domain and id. */
  numbers: SortedSet<number>;
  /** How many of them have each domain, each name, and both. */
  counts: Map<string, number>;
}

/** Which skills can be mistaken for which. Holds those that are neither private nor gone, by number. */
export class MemoryRivals {
  readonly #ids: LookAlikes;
  readonly #names: LookAlikes;

  /** `skillOf` gives the skill of each number that was added and not removed. */
  constructor(skillOf: (number: number) => StoredSkill) {
    this.#ids = new LookAlikes(skillOf, ({ idKey }) => idKey);
    this.#names = new LookAlikes(
      skillOf,
      ({ nameKey }) => nameKey,
      ({ entry }) => entry.name,
    );
  }

  /** An estimate of the memory held. */
  get bytes(): number {
    return this.#ids.bytes + this.#names.bytes;
  }

  add(number: number, skill: StoredSkill): void {
    if (skill.entry.access === 'private') return;
    this.#ids.add(number, skill);
    this.#names.add(number, skill);
  }

  /** `skill` as it was added. */
  remove(number: number, skill: StoredSkill): void {
    if (skill.entry.access === 'private') return;
    this.#ids.remove(number, skill);
    this.#names.remove(number, skill);
  }

  has(skill: StoredSkill): boolean {
    return this.#ids.count(skill) > 0 || this.#names.count(skill) > 0;
  }

  of(skill: StoredSkill): Rivals | undefined {
    if (!this.has(skill)) return undefined;
    return {
      byId: this.#ids.first(skill).map(({ entry: { domain, id } }) => ({ domain, id })),
      byName: this.#names.first(skill).map(({ entry: { domain, id, name } }) => ({ domain, id, name })),
    };
  }

  collisions(): Collisions {
    return this.#ids.collisions();
  }
}

/** Skills that have a key in common. To add, to remove and to count cost the same however many there are. */
class LookAlikes {
  readonly #skillOf: (number: number) => StoredSkill;
  readonly #keyOf: (skill: StoredSkill) => string;
  /** What rivals differ in besides the domain. */
  readonly #nameOf: ((skill: StoredSkill) => string) | undefined;
  /** Keys that one skill has. */
  readonly #single = new Map<string, number>();
  /** Keys that several skills have. */
  readonly #groups = new Map<string, Group>();
  bytes = 0;

  constructor(
    skillOf: (number: number) => StoredSkill,
    keyOf: (skill: StoredSkill) => string,
    nameOf?: (skill: StoredSkill) => string,
  ) {
    this.#skillOf = skillOf;
    this.#keyOf = keyOf;
    this.#nameOf = nameOf;
  }

  add(number: number, skill: StoredSkill): void {
    const key = this.#keyOf(skill);
    const other = this.#single.get(key);
    let group = this.#groups.get(key);
    if (group === undefined && other === undefined) {
      this.#single.set(key, number);
      this.bytes += keyBytes(key);
      return;
    }
    if (group === undefined) {
      group = { numbers: new SortedSet<number>((a, b) => this.#compare(a, b)), counts: new Map() };
      this.#groups.set(key, group);
      this.bytes += GROUP_BYTES;
    }
    if (other !== undefined) {
      this.#single.delete(key);
      this.#join(group, other, this.#skillOf(other));
    }
    this.#join(group, number, skill);
  }

  remove(number: number, skill: StoredSkill): void {
    const key = this.#keyOf(skill);
    if (this.#single.delete(key)) {
      this.bytes -= keyBytes(key);
      return;
    }
    const group = this.#groups.get(key);
    if (group === undefined) return;
    this.#leave(group, number, skill);
    if (group.numbers.size > 1) return;
    const [last] = group.numbers.from(() => false);
    if (last === undefined) return;
    this.#leave(group, last, this.#skillOf(last));
    this.#groups.delete(key);
    this.bytes -= GROUP_BYTES;
    this.#single.set(key, last);
  }

  /** How many rivals a skill has: one that was added, or a private one. */
  count(skill: StoredSkill): number {
    const key = this.#keyOf(skill);
    const group = this.#groups.get(key);
    if (group) {
      const [ofDomain, ofName, ofBoth] = this.#labelsOf(skill).map((label) => group.counts.get(label) ?? 0);
      return group.numbers.size - (ofDomain ?? 0) - (ofName ?? 0) + (ofBoth ?? 0);
    }
    // Whoever was added is alone with its key.
    if (skill.entry.access !== 'private') return 0;
    const single = this.#single.get(key);
    return single === undefined ? 0 : Number(this.#isRival(skill, this.#skillOf(single)));
  }

  /** The first rivals of a skill. */
  first(skill: StoredSkill): StoredSkill[] {
    const wanted = Math.min(this.count(skill), MAX_RIVALS);
    const found: StoredSkill[] = [];
    for (const other of this.#others(skill)) {
      if (found.length === wanted) break;
      if (this.#isRival(skill, other)) found.push(other);
    }
    return found;
  }

  collisions(): Collisions {
    const keys = [...this.#groups]
      .filter(([, { counts }]) => counts.size > 1)
      .map(([key]) => key)
      .sort(compareCodePoints);
    const first = keys.slice(0, MAX_COLLISIONS).map((key) => {
      const { numbers } = this.#groups.get(key) as Group;
      const domains: string[] = [];
      let id: string | undefined;
      for (let last = ''; domains.length < MAX_RIVALS; ) {
        const [next] = numbers.from(
          (number) => compareCodePoints(this.#skillOf(number).entry.domain, last) <= 0,
        );
        if (next === undefined) break;
        const { entry } = this.#skillOf(next);
        id ??= entry.id;
        last = entry.domain;
        domains.push(last);
      }
      return { id: id as string, domains };
    });
    return { total: keys.length, first };
  }

  /** Those of other domains that have the key of a skill, in order. */
  *#others(skill: StoredSkill): Generator<StoredSkill, void> {
    const key = this.#keyOf(skill);
    const single = this.#single.get(key);
    if (single !== undefined) yield this.#skillOf(single);
    const numbers = this.#groups.get(key)?.numbers;
    if (numbers === undefined) return;
    const { domain } = skill.entry;
    for (const number of numbers.from(() => false)) {
      const other = this.#skillOf(number);
      if (compareCodePoints(other.entry.domain, domain) >= 0) break;
      yield other;
    }
    const isBefore = (number: number) => compareCodePoints(this.#skillOf(number).entry.domain, domain) <= 0;
    for (const number of numbers.from(isBefore)) yield this.#skillOf(number);
  }

  #isRival(skill: StoredSkill, other: StoredSkill): boolean {
    return (
      skill.entry.domain !== other.entry.domain &&
      (this.#nameOf === undefined || this.#nameOf(skill) !== this.#nameOf(other))
    );
  }

  #join({ numbers, counts }: Group, number: number, skill: StoredSkill): void {
    numbers.add(number);
    this.bytes += MEMBER_BYTES;
    for (const label of this.#labelsOf(skill)) {
      const count = counts.get(label) ?? 0;
      if (count === 0) this.bytes += COUNT_BYTES + textBytes(label);
      counts.set(label, count + 1);
    }
  }

  #leave({ numbers, counts }: Group, number: number, skill: StoredSkill): void {
    numbers.delete(number);
    this.bytes -= MEMBER_BYTES;
    for (const label of this.#labelsOf(skill)) {
      const count = counts.get(label) ?? 0;
      if (count > 1) counts.set(label, count - 1);
      else {
        counts.delete(label);
        this.bytes -= COUNT_BYTES + textBytes(label);
      }
    }
  }

  /** Its domain, its name, and both. Domains hold no spaces. */
  #labelsOf(skill: StoredSkill): string[] {
    const { domain } = skill.entry;
    const name = this.#nameOf?.(skill);
    return name === undefined ? [domain] : [domain, ` ${name}`, `${domain} ${name}`];
  }

  #compare(a: number, b: number): number {
    const [one, other] = [this.#skillOf(a).entry, this.#skillOf(b).entry];
    return compareCodePoints(one.domain, other.domain) || compareCodePoints(one.id, other.id);
  }
}

function keyBytes(key: string): number {
  return KEY_BYTES + textBytes(key);
}
