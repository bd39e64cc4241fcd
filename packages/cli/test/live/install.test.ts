import { expect, test } from 'vitest';
import { createInstallCommand } from '../../src/live/install.ts';

test.each([
  ['a clone of the repository', '/src/kube-endpoints/packages/cli/src/live', 'npm install @kubernetes/client-node'],
  [
    'the cache of npx',
    '/home/me/.npm/_npx/5f/node_modules/kubectl-endpoints/dist',
    'npx -p kubectl-endpoints -p @kubernetes/client-node kubectl-endpoints ...',
  ],
  ['a global folder', '/usr/local/lib/node_modules/kubectl-endpoints/dist', 'npm install --global @kubernetes/client-node'],
  [
    'a global folder on Windows',
    'C:\\Users\\me\\AppData\\Roaming\\npm\\node_modules\\kubectl-endpoints\\dist',
    'npm install --global @kubernetes/client-node',
  ],
  ['a project', '/home/me/shop/node_modules/kubectl-endpoints/dist', 'npm install --prefix /home/me/shop @kubernetes/client-node'],
  ['a path with a space', '/my shop/node_modules/kubectl-endpoints/dist', 'npm install --prefix "/my shop" @kubernetes/client-node'],
])('for %s, createInstallCommand returns a command that installs the library there', (_, folder, command) => {
  expect(createInstallCommand(folder)).toBe(command);
});
