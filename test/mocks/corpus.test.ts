import { describe, expect, test } from 'vitest';
import {
  INVALID_DESCRIPTORS,
  INVALID_INDEXES,
  VALID_DESCRIPTORS,
  VALID_INDEXES,
} from '../../mocks/corpus.ts';
import { changed, validDescriptor, validEntry, withUnknownMembers } from '../../mocks/documents.ts';
import { validateSkillDescriptor, validateSkillIndex } from '../../src/protocol/index.ts';

type Validate = typeof validateSkillDescriptor | typeof validateSkillIndex;

function fieldsOf(validate: Validate, document: unknown): string[] {
  const result = validate(document);
  return result.ok ? [] : result.violations.map(({ field }) => field).sort();
}

describe('the corpus agrees with the validators', () => {
  test.each(VALID_DESCRIPTORS)('descriptor: $why', ({ document }) => {
    expect(fieldsOf(validateSkillDescriptor, document)).toEqual([]);
  });
  test.each(VALID_INDEXES)('index: $why', ({ document }) => {
    expect(fieldsOf(validateSkillIndex, document)).toEqual([]);
  });
  test.each(INVALID_DESCRIPTORS)('not a descriptor: $why', ({ document, fields }) => {
    expect(fieldsOf(validateSkillDescriptor, document)).toEqual([...fields].sort());
  });
  test.each(INVALID_INDEXES)('not an index: $why', ({ document, fields }) => {
    expect(fieldsOf(validateSkillIndex, document)).toEqual([...fields].sort());
  });
});

test('entry and descriptor of the builders agree', () => {
  const entry = validEntry();
  const { descriptor_url, ...shared } = entry;
  expect(validDescriptor()).toMatchObject(shared);
});

test('changed leaves the original alone', () => {
  const original = validDescriptor();
  expect(changed(original, '/inputs/0/name', 'other')).toMatchObject({ inputs: [{ name: 'other' }] });
  expect(changed(original, '/access')).not.toHaveProperty('access');
  expect(original).toEqual(validDescriptor());
});

test('unknown members are own members, at every level', () => {
  const text = JSON.stringify(withUnknownMembers(validDescriptor()));
  expect(text.split('"__proto__":').length - 1).toBe(7);
});
