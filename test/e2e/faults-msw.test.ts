import { it } from 'vitest';
import { createClient } from '../../src/index.ts';
import { allFaults, expectOutcome, faultlessProvider } from '../support/fault-outcomes.ts';
import { useMswInternet } from '../support/msw-internet.ts';
import { createScaledClock } from '../support/scaled-clock.ts';

const internet = useMswInternet();

it.each(allFaults)('%s, served over https by msw', async (_, fault) => {
  internet.mount({ 'faulty.example': fault.make(faultlessProvider().handle) });
  await using client = createClient({ clock: createScaledClock(fault.code === 'TIMEOUT' ? 20 : 1) });
  expectOutcome(await client.discover('faulty.example'), fault);
});
