// The package as its users get it: packed, judged by publint and attw, installed in an empty folder, every entry imported,
// the bin run. Needs `npm run build` first. Entries for agent runtimes must say that theirs is missing: test/runtimes has them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { name, version, exports, peerDependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
/** Entries that want a package which is not installed here. */
const RUNTIMES = { './ai-sdk': 'ai', './openai-agents': '@openai/agents' };
const scratch = mkdtempSync(join(tmpdir(), `${name}-package-`));

function run(command, args, cwd = scratch) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

try {
  const [{ filename, size, files }] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', scratch], root),
  );
  const tarball = join(scratch, filename);
  console.log(`packed ${files.length} files, ${Math.round(size / 1024)} KiB`);
  run('npx', ['publint', '--strict', tarball], root);
  run('npx', ['attw', '--profile', 'esm-only', tarball], root);

  writeFileSync(
    join(scratch, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  );
  const peers = Object.entries(peerDependencies)
    .filter(([peer]) => peer in devDependencies)
    .map(([peer, range]) => `${peer}@${range}`);
  run('npm', ['install', '--no-audit', '--no-fund', '--silent', tarball, ...peers]);

  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'));
  for (const entry of entries) {
    const specifier = join(name, entry);
    const answer = run(process.execPath, [
      '--input-type=module',
      '--eval',
      `const count = (entry) => \`\${Object.keys(entry).length} exports\`;
      console.log(await import(${JSON.stringify(specifier)}).then(count, ({ message }) => message));`,
    ]);
    const runtime = RUNTIMES[entry];
    const expected = runtime ? `Cannot find package '${runtime}'` : /^[1-9]\d* exports/;
    if (answer.search(expected) !== 0) throw new Error(`${specifier}: expected ${expected}, got ${answer}`);
    console.log(`${specifier}: ${runtime ? `wants ${runtime}` : answer.trim()}`);
  }
  const printed = run(join(scratch, 'node_modules', '.bin', name), ['--version']).trim();
  if (printed !== version) throw new Error(`the bin says version ${printed}, the package ${version}`);
  run(join(scratch, 'node_modules', '.bin', name), ['demo', '--providers', '20']);
  console.log('the bin runs');
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
