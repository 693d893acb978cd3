/**
 * The URL, or undefined where there is none. `URL.canParse` is not to be trusted: that of Node 20, once it is optimised, refuses
 * whatever has a letter of Latin-1 beyond ASCII.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
