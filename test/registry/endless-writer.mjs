// Applies one update after the other to the store at the given path, and says each one's number once it is confirmed.
import { createServer } from 'vite';

const { ssrLoadModule } = await createServer({
  configFile: false,
  root: new URL('../..', import.meta.url).pathname,
  server: { middlewareMode: true, watch: null, ws: false },
});
const { openSqliteStore } = await ssrLoadModule('/src/registry/sqlite-store.ts');
const { storedSkill, updateOf } = await ssrLoadModule('/test/support/stored-skill.ts');

const store = await openSqliteStore({ path: process.argv[2] });
for (let n = 1; ; n++) {
  const domain = `d${n}.example`;
  await store.apply(
    updateOf([1, 2, 3, 4, 5].map((i) => storedSkill({ domain, id: `skill-${i}`, tags: ['a'] }))),
  );
  process.stdout.write(`${n}\n`);
}
