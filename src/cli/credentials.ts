import { readFile } from 'node:fs/promises';
import { type Credential, type InvocationCredentials, parseJson } from '../index.ts';
import type { Io } from './shell.ts';
import { fileTrouble, UsageError } from './usage-error.ts';

export interface CredentialFlags {
  credential?: string[];
  credentials?: string;
}

type Env = Io['env'];

/**
 * The credentials of a command line: those of the file, then those of single flags, which count where both name an origin.
 * Throws a {@link UsageError} that names the flag, the file or the origin, and never quotes what may be a secret.
 */
export async function readCredentials(flags: CredentialFlags, env: Env): Promise<Record<string, Credential>> {
  const fromFile = flags.credentials === undefined ? [] : await readCredentialsFile(flags.credentials, env);
  const single = await Promise.all((flags.credential ?? []).map((text) => readCredential(text, env)));
  return Object.fromEntries([...fromFile, ...single]);
}

/** A credential of the command line names its own header, and serves every way of authentication. */
export function forEndpoints(credentials: Readonly<Record<string, Credential>>): InvocationCredentials {
  const entries = Object.entries(credentials).map(
    ([origin, credential]) => [origin, async () => credential] as const,
  );
  return Object.fromEntries(entries);
}

async function readCredential(text: string, env: Env): Promise<[string, Credential]> {
  const [, origin, header, value] = /^([^=]+)=([^:]+):(.+)$/s.exec(text) ?? [];
  if (origin === undefined || header === undefined || value === undefined) {
    throw new UsageError(
      '--credential: expected ORIGIN=HEADER:VALUE, such as https://a.example=x-api-key:@env:KEY',
    );
  }
  return [origin, { header, value: await resolveSecret(value, `--credential for ${origin}`, env) }];
}

async function readCredentialsFile(path: string, env: Env): Promise<[string, Credential][]> {
  const flag = `--credentials ${path}`;
  const text = await readFile(path, 'utf8').catch((error) => {
    throw new UsageError(`${flag}: ${fileTrouble(error)}`);
  });
  const json = parseJson(text);
  if (!json.ok || !isObject(json.value)) throw new UsageError(`${flag}: expected a JSON object of origins`);
  return Promise.all(
    Object.entries(json.value).map(async ([origin, given]): Promise<[string, Credential]> => {
      const where = `${flag}, ${origin}`;
      if (!isObject(given)) throw new UsageError(`${where}: expected an object`);
      const { header, value, bearer, label, ...others } = given;
      const [unknown] = Object.keys(others);
      if (unknown !== undefined) throw new UsageError(`${where}: there is no member ${unknown}`);
      const named = typeof label === 'string' ? { label } : {};
      if (typeof bearer === 'string' && header === undefined && value === undefined) {
        return [origin, { bearer: await resolveSecret(bearer, where, env), ...named }];
      }
      if (typeof header === 'string' && typeof value === 'string' && bearer === undefined) {
        return [origin, { header, value: await resolveSecret(value, where, env), ...named }];
      }
      throw new UsageError(`${where}: expected either "header" and "value" or "bearer", as strings`);
    }),
  );
}

/** `@env:NAME` is the value of that variable, `@file:PATH` the content of that file without the line end. */
async function resolveSecret(text: string, where: string, env: Env): Promise<string> {
  const [, source, name = ''] = /^@(env|file):(.+)$/s.exec(text) ?? [];
  if (source === 'env') {
    const value = env[name];
    if (!value) throw new UsageError(`${where}: the environment variable ${name} is not set`);
    return value;
  }
  if (source === 'file') {
    const content = await readFile(name, 'utf8').catch((error) => {
      throw new UsageError(`${where}: ${name}: ${fileTrouble(error)}`);
    });
    return content.replace(/\r?\n$/, '');
  }
  return text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
