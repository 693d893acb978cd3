import { expect, it } from 'vitest';
import { allRecords } from '../../src/cli/pages.ts';

function threePages() {
  const asked: (string | undefined)[] = [];
  const ask = async (cursor: string | undefined) => {
    asked.push(cursor);
    const page = Number(cursor ?? 0);
    return { records: [2 * page, 2 * page + 1], ...(page < 2 && { nextCursor: `${page + 1}` }) };
  };
  return { ask, asked };
}

it('goes through all pages', async () => {
  const { ask, asked } = threePages();
  const records: number[] = [];

  for await (const record of allRecords(ask, new AbortController().signal)) records.push(record);

  expect(records).toEqual([0, 1, 2, 3, 4, 5]);
  expect(asked).toEqual([undefined, '1', '2']);
});

it('asks for a page only when the one before is used up', async () => {
  const { ask, asked } = threePages();

  for await (const record of allRecords(ask, new AbortController().signal)) if (record === 1) break;

  expect(asked).toEqual([undefined]);
});

it('ends at an interrupt', async () => {
  const { ask, asked } = threePages();
  const interrupt = new AbortController();
  const records = allRecords(ask, interrupt.signal);
  await records.next();

  interrupt.abort(new Error('enough'));

  expect(await records.next()).toEqual({ done: false, value: 1 });
  await expect(records.next()).rejects.toThrow('enough');
  expect(asked).toEqual([undefined]);
});
