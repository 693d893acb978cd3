import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What a script of this folder reports that is run in a process of its own. */
export async function run(script, args, execArgv = [], input) {
  const child = fork(new URL(script, import.meta.url), args, {
    execArgv,
    stdio: [input ? 'pipe' : 'ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (input) input.pipe(child.stdin);
  const messages = [];
  child.on('message', (message) => messages.push(message));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${script} ${args.join(' ').slice(0, 200)} ended with ${code}`);
  return messages[0];
}

/** Runs a script that reports its port, for as long as `use` takes. */
export async function withServer(script, use) {
  const server = fork(new URL(script, import.meta.url));
  try {
    const [port] = await once(server, 'message');
    return await use(port);
  } finally {
    server.disconnect();
  }
}
