import { it } from 'vitest';
import { serve } from '../../mocks/index.ts';
import { createClient } from '../../src/index.ts';
import { allFaults, expectOutcome, faultlessProvider } from '../support/fault-outcomes.ts';
import { createScaledClock } from '../support/scaled-clock.ts';

/** Faults that lead to private addresses or away from https: over http on loopback, where those are allowed, they are none. */
const HTTPS_ONLY = /-redirect-(?:downgrade|metadata)$|^entry-(?:localhost|[\d[])/;

it.each(allFaults.filter(([name]) => !HTTPS_ONLY.test(name)))(
  '%s, served over http on a real socket',
  async (_, fault) => {
    const server = await serve(fault.make(faultlessProvider().handle));
    const client = createClient({
      clock: createScaledClock(fault.code === 'TIMEOUT' ? 20 : 1),
      lookup: server.lookup,
      unsafe: { allowHttp: true, allowPrivateAddresses: ['127.0.0.0/8'] },
    });
    try {
      expectOutcome(await client.discover(`http://faulty.example:${server.port}`), fault);
    } finally {
      await client.close();
      await server.close();
    }
  },
);
