const library = '@kubernetes/client-node';

/**
 * Returns the command that installs the library for reading a cluster where this program finds it.
 * @param folder the folder of this program
 */
export function createInstallCommand(folder: string): string {
  const [, parent] = /^(.*)[/\\]node_modules[/\\]/.exec(folder) ?? [];
  if (parent === undefined) return `npm install ${library}`;
  // npx has a cache for each combination of packages.
  if (/[/\\]_npx[/\\]/.test(folder)) return `npx -p kubectl-endpoints -p ${library} kubectl-endpoints ...`;
  // The global folders of npm: PREFIX/lib/node_modules, on Windows PREFIX\npm\node_modules.
  if (/[/\\](?:lib|npm)$/.test(parent)) return `npm install --global ${library}`;
  return `npm install --prefix ${/[^\w./\\:@-]/.test(parent) ? JSON.stringify(parent) : parent} ${library}`;
}
