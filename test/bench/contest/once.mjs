// A contestant that crawls one provider in a fresh process.
const [name, host] = process.argv.slice(2);
const { open } = await import(`../peers/${name}.mjs`);
const peer = await open({});
const failures = await peer.crawl([host]);
const found = [...peer.descriptors()].length;
if (failures.length > 0 || found !== 10) throw new Error(`${name} found ${found} of 10 skills`);
peer.close();
