// Puts the built package where its users have it: beside the runtimes, which the root does not install. Needs `npm run build`
// of the root first.
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';

const here = (path) => new URL(path, import.meta.url);
rmSync(here('node_modules/skillscout'), { recursive: true, force: true });
mkdirSync(here('node_modules/skillscout'));
for (const part of ['package.json', 'dist']) {
  cpSync(here(`../../${part}`), here(`node_modules/skillscout/${part}`), { recursive: true });
}
symlinkSync('../../../../node_modules', here('node_modules/skillscout/node_modules'));
