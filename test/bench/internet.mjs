// Serves generated providers over HTTP on loopback until the parent process goes away.
import { createInternet, serve } from '../../dist/testing.js';

const { domains, handle } = createInternet({ providers: Number(process.argv[2]) });
const { port } = await serve(handle);
process.on('disconnect', () => process.exit());
process.send({ port, domains });
