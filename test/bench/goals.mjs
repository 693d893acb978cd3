/** What the figures have to be: at most or at least so much. docs/performance.md states the same. */
export const GOALS = {
  'write speed: share of a bare insert': { atLeast: 0.5 },
  'find by type and access, p99': { atMost: 1, unit: 'ms' },
  'text with a type filter, p50': { atMost: 2, unit: 'ms' },
  'text with a type filter, p99': { atMost: 20, unit: 'ms' },
  'opening the file to the first answer': { atMost: 100, unit: 'ms' },
  'first page by type and access, p50': { atMost: 0.02, unit: 'ms' },
  'heap of a full store: share of maxBytes': { atMost: 1.25 },
  'resident memory, most': { atMost: 300, unit: 'MB' },
  'resident memory, growth after a tenth': { atMost: 30, unit: 'MB' },
  'event-loop delay, p99': { atMost: 20, unit: 'ms' },
};
