import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createClient, parseDomain, parseHttpUrl, wellKnownUrl } from '../../index.ts';
import { type CredentialFlags, readCredentials } from '../credentials.ts';
import { type Inspection, inspectDocument } from '../inspection.ts';
import { type NetworkFlags, networkOptions } from '../options.ts';
import type { Shell } from '../shell.ts';
import { blamingFlags, fileTrouble, UsageError } from '../usage-error.ts';

interface CheckFlags extends NetworkFlags, CredentialFlags {
  json?: boolean;
  sarif?: boolean;
}

/** Exit code 1 where there is an error: a consumer would not take all of it, or the protocol forbids it. */
export async function check(target: string, flags: CheckFlags, shell: Shell): Promise<number> {
  const inspection = await inspect(target, flags, shell);
  if (flags.json) await shell.printJson(inspection, 2);
  else if (flags.sarif) {
    const { toSarif } = await import('../sarif.ts');
    await shell.printJson(toSarif(inspection), 2);
  } else {
    const { renderInspection } = await import('../render-inspection.ts');
    await shell.print(renderInspection(inspection, shell.colors));
  }
  return inspection.ok ? 0 : 1;
}

/** `-` is stdin; else a file that is there; else a URL with a path is a descriptor's; else it is a domain. */
async function inspect(target: string, flags: CheckFlags, { io, signal }: Shell): Promise<Inspection> {
  if (target === '-') return inspectDocument('stdin', await buffer(addAbortSignal(signal, io.stdin)));
  const file = await readDocument(target);
  if (file) return inspectDocument(target, file);
  if (/^[^:]*[/\\]|\.json$/i.test(target)) throw new UsageError(`${target}: there is no such file`);
  const url = parseHttpUrl(target);
  const isDescriptor = url.ok && url.url.pathname !== '/' && url.url.href !== wellKnownUrl(url.url.origin);
  const domain = isDescriptor ? undefined : domainOf(url.ok ? url.url.origin : target, target);

  const network = networkOptions(flags);
  const credentials = await readCredentials(flags, io.env);
  // Flags that no client takes are refused before anybody is asked.
  await blamingFlags(() => createClient({ ...network, credentials }).close());
  const { inspectDescriptorUrl, inspectProvider } = await import('../inspection-provider.ts');
  return domain === undefined
    ? inspectDescriptorUrl(target, { network, credentials, signal })
    : inspectProvider(target, domain, { network, credentials, signal });
}

async function readDocument(target: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw new UsageError(`${target}: ${fileTrouble(error)}`);
  }
}

function domainOf(text: string, target: string): string {
  try {
    return parseDomain(text).domain;
  } catch {
    throw new UsageError(
      `${JSON.stringify(target)} is no file that exists, no domain and no http or https URL`,
    );
  }
}
