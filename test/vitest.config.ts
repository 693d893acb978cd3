import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { execArgv } from './support/writer-thread.ts';

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Suites with a package.json of their own. */
const APART = ['test/bench/**', 'test/runtimes/**'];
/** These run the built package, each in processes of its own. */
const ALONE = ['test/e2e/**/*.test.ts'];

export default defineConfig({
  root: source('.'),
  resolve: {
    alias: [
      { find: /^#network$/, replacement: source('src/transport/network-node.ts') },
      { find: /^skillscout$/, replacement: source('src/index.ts') },
      { find: /^skillscout\/protocol$/, replacement: source('src/protocol/index.ts') },
      { find: /^skillscout\/agent$/, replacement: source('src/agent/index.ts') },
      { find: /^skillscout\/sqlite$/, replacement: source('src/sqlite/index.ts') },
      { find: /^skillscout\/testing$/, replacement: source('mocks/index.ts') },
      { find: /^skillscout\/testing\/msw$/, replacement: source('mocks/msw.ts') },
      { find: /^skillscout\/testing\/arbitraries$/, replacement: source('mocks/arbitraries.ts') },
    ],
  },
  test: {
    // Loading the modules takes longer than most tests, which must leave nothing behind: so they share them.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...APART, ...ALONE],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'e2e', include: ALONE } },
    ],
    execArgv,
    globalSetup: source('test/support/writer-thread.ts'),
    // Many tests wait for processes of their own.
    maxWorkers: '150%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: { provider: 'v8', include: ['src/**'], exclude: ['src/protocol/generated/**'] },
  },
});
