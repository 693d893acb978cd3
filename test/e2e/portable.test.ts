import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { createProvider, validDescriptor } from '../../mocks/index.ts';
import type * as Skillscout from '../../src/index.ts';

const dist = (entry: string) => fileURLToPath(new URL(`../../dist/${entry}.js`, import.meta.url));

/** An entry of the package, bundled as a browser would get it: one file, nothing external. */
async function bundle(entry: string): Promise<{ code: string; modules: string[] }> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: dist(entry), formats: ['es'], fileName: entry },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput[];
  const chunks = built.flatMap(({ output }) => output.filter((each) => each.type === 'chunk'));
  return {
    code: chunks.map(({ code }) => code).join('\n'),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  };
}

describe.each(['index', 'protocol'])('the entry %s, bundled for a platform that is not Node', (entry) => {
  it('needs nothing of Node', async () => {
    const { code, modules } = await bundle(entry);
    expect(code).not.toMatch(/["'`]node:|__vite-browser-external|\brequire\(/);
    expect(modules.filter((id) => /\/(?:undici|commander|cli-progress|@photostructure)\//.test(id))).toEqual(
      [],
    );
  });
});

it('works there over a fetch, and says that only literal addresses were judged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'skillscout-'));
  try {
    const file = join(folder, 'bundle.mjs');
    await writeFile(file, (await bundle('index')).code);
    const { createClient } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as typeof Skillscout;
    const provider = createProvider({ domain: 'a.example', name: 'A', skills: [validDescriptor()] });
    const client = createClient({ fetch: (input, init) => provider.handle(new Request(input, init)) });
    const outcome = await client.discover('a.example');
    expect(outcome).toMatchObject({ status: 'ok', warnings: [{ code: 'ADDRESS_CHECK_LITERAL' }] });
    expect((await client.discover('10.0.0.1')).code).toBe('ADDRESS_REFUSED');
    await client.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
