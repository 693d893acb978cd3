import type { Readable, Transform } from 'node:stream';

// Not imported: most answers come as they are.
const stream = () => process.getBuiltinModule('node:stream');
const zlib = () => process.getBuiltinModule('node:zlib');

const decoders: Readonly<Record<string, (() => Transform | undefined) | undefined>> = {
  gzip: () => zlib().createGunzip(),
  'x-gzip': () => zlib().createGunzip(),
  br: () => zlib().createBrotliDecompress(),
  deflate: createInflateEither,
  // Not in every version of Node.
  zstd: () => (zlib() as { createZstdDecompress?: () => Transform }).createZstdDecompress?.(),
};

/** The body before these content codings were applied; what fails in it fails the stream. */
export function unpack(body: Readable, codings: readonly string[]): Readable {
  const { pipeline } = stream();
  const steps = codings.toReversed().map((coding) => decoders[coding]?.() ?? refusal(coding));
  // The last step has the error as well, and whoever reads it learns it there.
  return steps.reduce<Readable>((source, step) => pipeline(source, step, () => {}), body);
}

/** `deflate` means the zlib format (RFC 9110, section 8.4.1.2), but some servers send the bare one: the first byte tells. */
function createInflateEither(): Transform {
  const { createInflate, createInflateRaw } = zlib();
  let inflate: Transform | undefined;
  return new (stream().Transform)({
    transform(chunk: Buffer, encoding, done) {
      if (inflate === undefined) {
        inflate = ((chunk[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
        inflate.on('data', (part) => this.push(part));
        // It never calls back for what goes on after its end, which ends this as it does brotli.
        inflate.on('end', () => this.push(null));
        inflate.on('error', (error) => this.destroy(error));
      }
      inflate.write(chunk, encoding, (error) => done(error));
    },
    flush(done) {
      if (inflate === undefined) return done();
      inflate.on('end', () => done());
      inflate.end();
    },
    destroy(error, done) {
      inflate?.destroy();
      done(error);
    },
  });
}

function refusal(coding: string): Transform {
  const error = Object.assign(new Error(`no decoder for ${coding}`), { code: 'Z_NO_DECODER' });
  return new (stream().Transform)({ transform: (_chunk, _encoding, done) => done(error) });
}
