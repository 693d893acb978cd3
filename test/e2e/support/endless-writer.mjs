// Looks at twenty domains again and again, a few looks in flight, and says the number of each once it is confirmed.
import { openSqliteStore } from '../../../dist/sqlite.js';

const [path, first] = process.argv.slice(2);
const store = await openSqliteStore({ path });
const inFlight = new Set();
for (let look = Number(first); ; look++) {
  const applied = store.apply(updateOf(look)).then(() => {
    process.stdout.write(`${look}\n`);
    inFlight.delete(applied);
  });
  if (inFlight.add(applied).size === 8) await Promise.race(inFlight);
}

function updateOf(look) {
  const domain = `d${look % 20}.example`;
  const view = 'anonymous';
  const url = `https://${domain}/skill.json`;
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const skills = ids.map((id) => ({
    entry: {
      domain,
      id,
      name: 'A skill',
      capability_type: 'api',
      description: `look ${look}`,
      descriptor_url: url,
      access: 'public',
      version: '1.0.0',
      fetchedAt: look,
      freshUntil: look,
      warnings: [],
      descriptorUrl: url,
      view,
    },
    descriptor: '{}',
    authType: 'none',
    protocolVersion: '1.0.0',
    tags: [],
    contentHash: `${look}`,
    idKey: id,
    nameKey: 'a skill',
    isFlagged: false,
  }));
  return { domain, view, at: look, status: 'ok', skills, standIns: [], listed: ids, forgetBefore: 0 };
}
