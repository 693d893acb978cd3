import { describe, expect, it } from 'vitest';
import { changed, HOSTILE_TEXT, indexEntry, validDescriptor } from '../../mocks/index.ts';
import { createLock, type Lock, parseLock, type SkillRecord, serializeLock } from '../../src/index.ts';
import type { SkillDescriptor } from '../../src/protocol/index.ts';
import { changedMembers, lockSkill } from '../../src/registry/index.ts';

function recordOf(members: Partial<SkillDescriptor> = {}, domain = 'a.example'): SkillRecord {
  const descriptor = validDescriptor(members);
  const entry = indexEntry(descriptor, `https://${domain}`);
  return {
    ...entry,
    domain,
    descriptor,
    descriptorUrl: entry.descriptor_url,
    fetchedAt: 1,
    freshUntil: 2,
    stale: true,
    warnings: [],
    view: 'anonymous',
  };
}

const lockOf = (...records: SkillRecord[]) => createLock(records);
const edited = (lock: Lock, pointer: string, value?: unknown) =>
  JSON.stringify(changed(lock, pointer, value));

/** What is thrown, which is one line. */
function refusal(text: string): string {
  try {
    parseLock(text);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    const { message } = error as Error;
    expect(message).toMatch(/^lock: [^\n\r\u001b\u202e]+$/);
    return message;
  }
  throw new Error(`was taken: ${text}`);
}

describe('createLock', () => {
  it('sorts by domain, then id, by code point', async () => {
    const keys = [
      ['b.example', 'a'],
      ['a.example', '\u{1f600}'],
      ['a.example', '\uffee'],
      ['a.example', 'B'],
      ['a.example', 'a'],
    ] as const;
    const { skills } = await lockOf(...keys.map(([domain, id]) => recordOf({ id }, domain)));
    expect(skills.map(({ id }) => id)).toEqual(['B', 'a', '\uffee', '\u{1f600}', 'a']);
  });

  it('takes records as they come', async () => {
    async function* records() {
      yield recordOf();
    }
    expect(await createLock(records())).toEqual(await lockOf(recordOf()));
  });

  it('refuses what was only imported, and what is given twice', async () => {
    await expect(lockOf({ ...recordOf(), origin: 'imported' })).rejects.toThrow(
      /^".*" of a\.example was imported/,
    );
    await expect(lockOf(recordOf(), recordOf())).rejects.toThrow(/locked twice$/);
  });

  it('says how to find what has no descriptor', async () => {
    const { descriptor: _, ...summary } = recordOf();
    const refused = expect(lockOf(summary as SkillRecord)).rejects;
    await refused.toThrow(TypeError);
    await refused.toThrow(/^".*" of a\.example has no descriptor: find it with include: 'descriptor'$/);
  });
});

describe('a locked skill', () => {
  const differing = async (before: SkillRecord, after: SkillRecord) => {
    const [a, b] = [await lockSkill(before), await lockSkill(after)];
    return {
      members: changedMembers(a, b),
      isSame: a.contentHash === b.contentHash,
      isSameIdentity: a.identityHash === b.identityHash,
    };
  };

  it('is the same, whenever and however it was read', async () => {
    const later = { ...recordOf(), fetchedAt: 99, freshUntil: 100, view: 'me', stale: false };
    expect(await differing(recordOf(), later)).toEqual({ members: [], isSame: true, isSameIdentity: true });
  });

  it('drifts with any member of entry and descriptor, and names them', async () => {
    const after = { ...recordOf({ tags: ['x'], version: '9.0.0' }), description: 'Other.' };
    expect(await differing(recordOf({ documentation_url: 'https://a.example' }), after)).toEqual({
      members: [
        '/description',
        '/version',
        '/descriptor/version',
        '/descriptor/tags',
        '/descriptor/documentation_url',
      ],
      isSame: false,
      isSameIdentity: true,
    });
  });

  it.each([
    ['the name of the provider', recordOf({ provider: { name: 'Other' } })],
    ['the URL of the provider', recordOf({ provider: { name: 'Example', url: 'https://other.example' } })],
    ['the origin of the endpoint', recordOf({ endpoint: { url: 'https://other.example/run' } })],
    ['the origin of the descriptor', { ...recordOf(), descriptorUrl: 'https://other.example/a.json' }],
  ])('is another with %s', async (_, after) => {
    expect(await differing(recordOf(), after)).toMatchObject({ isSameIdentity: false });
  });

  it('is hashed as a whole where it has very many members', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x-${n}`, n]));
    const { members } = await differing(recordOf({ ...many }), recordOf({ ...many, 'x-7': 'other' }));
    expect(members).toEqual(['/descriptor']);
  });
});

describe('parseLock', () => {
  it('reads what serializeLock writes, hostile text included', async () => {
    const lock = await lockOf(
      recordOf({ id: HOSTILE_TEXT.replaceAll(/\p{Cc}/gu, ''), [HOSTILE_TEXT]: HOSTILE_TEXT }),
      recordOf({ ['__proto__']: 1, id: '__proto__' }),
    );
    expect(parseLock(serializeLock(lock))).toEqual(lock);
    expect(parseLock(`\ufeff${serializeLock(lock).replaceAll('\n', '\r\n')}`)).toEqual(lock);
    expect(parseLock(serializeLock({ lockVersion: 1, skills: [] }))).toEqual({ lockVersion: 1, skills: [] });
  });

  it('refuses one that was cut off anywhere', async () => {
    const text = serializeLock(await lockOf(recordOf())).trimEnd();
    for (let end = 0; end < text.length; end += 1) refusal(text.slice(0, end));
  });

  it.each([
    ['another document', '[]', 'expected an object'],
    ['no text at all', '', 'empty'],
    ['a conflict of versions', '<<<<<<< ours\n{}\n=======\n{}', 'markup'],
    ['no version', '{"skills":[]}', 'lockVersion'],
    ['a later version', '{"lockVersion":2,"things":{}}', 'format 2'],
    ['an earlier version', '{"lockVersion":0,"skills":[]}', 'lockVersion'],
    ['no skills', '{"lockVersion":1}', 'skills'],
    ['a skill that is none', '{"lockVersion":1,"skills":[null]}', 'skills[0]: expected an object'],
  ])('refuses %s', (_, text, reason) => {
    expect(refusal(text)).toContain(reason);
  });

  it.each([
    ['/domain', 'A.example'],
    ['/domain', 'https://a.example'],
    ['/domain', 'a b'],
    ['/domain', 7],
    ['/id', ''],
    ['/version', 1],
    ['/descriptorUrl', 'file:///etc/passwd'],
    ['/descriptorUrl', 'https://'],
    ['/contentHash', 'A'.repeat(64)],
    ['/contentHash', `${'a'.repeat(64)}\n`],
    ['/identityHash', 'a'.repeat(63)],
    ['/memberHashes', []],
    ['/memberHashes/x', 'a'],
  ])('refuses a skill with another %s: %j', async (member, value) => {
    const lock = await lockOf(recordOf({ id: 'one' }), recordOf({ id: 'two' }));
    const name = member.split('/')[1];
    expect(refusal(edited(lock, `/skills/1${member}`, value))).toContain(`skills[1].${name}: expected`);
    expect(refusal(edited(lock, `/skills/1/${name}`))).toContain(`skills[1].${name}: expected`);
  });

  it('refuses a skill that is locked twice', async () => {
    const lock = await lockOf(recordOf({ id: 'one' }), recordOf({ id: 'two' }));
    expect(refusal(edited(lock, '/skills/1/id', 'one'))).toContain(
      'skills[1]: "one" of a.example is locked twice',
    );
    const hostile = edited(
      { ...lock, skills: lock.skills.map((skill) => ({ ...skill, id: HOSTILE_TEXT })) },
      '/x',
      1,
    );
    expect(refusal(hostile)).toContain('locked twice');
  });
});
