import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCredentials } from '../../src/cli/credentials.ts';
import { temporaryFolder } from '../e2e/support/cli.ts';

async function fileWith(content: string): Promise<string> {
  const file = join(await temporaryFolder(), 'credentials.json');
  await writeFile(file, content);
  return file;
}

describe('readCredentials', () => {
  it('takes values as they are, from variables and from files', async () => {
    const file = await fileWith('k=:1\r\n');
    const credential = [
      'https://a.example=x-api-key:k=:1',
      'https://b.example:8443=authorization:@env:TOKEN',
      `http://[::1]:80=x-api-key:@file:${file}`,
    ];

    expect(await readCredentials({ credential }, { TOKEN: 'Bearer t' })).toEqual({
      'https://a.example': { header: 'x-api-key', value: 'k=:1' },
      'https://b.example:8443': { header: 'authorization', value: 'Bearer t' },
      'http://[::1]:80': { header: 'x-api-key', value: 'k=:1' },
    });
  });

  it('takes a file of them, over which single ones win', async () => {
    const file = await fileWith(
      JSON.stringify({
        'https://a.example': { header: 'x-api-key', value: 'from the file' },
        'https://b.example': { bearer: '@env:TOKEN', label: 'staff' },
      }),
    );

    expect(
      await readCredentials(
        { credentials: file, credential: ['https://a.example=x-api-key:from the flag'] },
        { TOKEN: 't' },
      ),
    ).toEqual({
      'https://a.example': { header: 'x-api-key', value: 'from the flag' },
      'https://b.example': { bearer: 't', label: 'staff' },
    });
  });

  it.each([
    ['no JSON', '{"https://a.example": "S3CRET', 'expected a JSON object'],
    ['a list', '["S3CRET"]', 'expected a JSON object'],
    ['a bare secret', '{"https://a.example": "S3CRET"}', 'https://a.example'],
    ['both kinds', '{"https://a.example": {"bearer": "S3CRET", "header": "h", "value": "S3CRET"}}', 'either'],
    ['neither', '{"https://a.example": {"label": "S3CRET"}}', 'either'],
    ['another member', '{"https://a.example": {"bearer": "S3CRET", "token": "S3CRET"}}', 'token'],
    ['an unset variable', '{"https://a.example": {"bearer": "@env:NOT_SET"}}', 'NOT_SET'],
    ['a missing file', '{"https://a.example": {"bearer": "@file:/nowhere"}}', '/nowhere'],
  ])('refuses %s without quoting it', async (_, content, name) => {
    const file = await fileWith(content);

    const error = await readCredentials({ credentials: file }, {}).catch((reason: Error) => reason);

    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining(file) });
    expect((error as Error).message).toContain(name);
    expect((error as Error).message).not.toContain('S3CRET');
  });
});
