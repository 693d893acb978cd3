// Loaded before a contestant: every name under .example is this machine, for whoever asks `dns.lookup`.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const { lookup } = dns;

dns.lookup = (name, options, callback = options) => {
  if (!name.endsWith('.example')) return lookup(name, options, callback);
  const answer = options.all ? [[{ address: '127.0.0.1', family: 4 }]] : ['127.0.0.1', 4];
  process.nextTick(callback, null, ...answer);
};
syncBuiltinESMExports();
