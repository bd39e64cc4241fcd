import type { ControllerName } from '@kube-endpoints/controllers/internal';
import { type Command, InvalidArgumentError } from 'commander';
import { createWholeNumberParser } from './common.ts';

/** Flags of the service-lb controller: its cloud provider, the name of the cluster in that cloud, the addresses, and its concurrency. */
export interface CloudFlags {
  /** "memory", "tcp", or the path of a module. */
  readonly cloud: string | undefined;
  readonly clusterName: string | undefined;
  readonly cloudAddresses: string | undefined;
  readonly concurrentServiceSyncs?: number | undefined;
}

export const addCloudFlags = (command: Command): Command =>
  command
    .option(
      '--cloud <NAME>',
      'the cloud provider of service-lb: memory (simulated), tcp (load balancers in this process), or the path of a module such as ./cloud.js',
      parseCloud,
    )
    .option('--cluster-name <NAME>', 'the name of this cluster in the cloud (default: "kubernetes")', parseClusterName)
    .option('--cloud-addresses <CIDR>', 'the address range of load balancers if --cloud is memory or tcp, such as 127.0.77.0/24')
    .option(
      '--concurrent-service-syncs <N>',
      'the number of Services that service-lb syncs at the same time (default: 1)',
      createWholeNumberParser(1, 999),
    );

/** Returns an error message if the cloud flags do not fit together or the controllers; otherwise undefined. */
export function validateCloudFlags({
  controllers = [],
  cloud,
  clusterName,
  cloudAddresses,
  concurrentServiceSyncs,
}: Partial<CloudFlags> & { readonly controllers?: readonly ControllerName[] | undefined }): string | undefined {
  if (controllers.includes('service-lb')) {
    return cloud === undefined
      ? 'the controller service-lb needs a cloud: give --cloud memory, --cloud tcp, or --cloud ./MODULE'
      : undefined;
  }
  const values = Object.entries({
    '--cloud': cloud,
    '--cluster-name': clusterName,
    '--cloud-addresses': cloudAddresses,
    '--concurrent-service-syncs': concurrentServiceSyncs,
  });
  const flag = values.find(([, value]) => value !== undefined)?.[0];
  return flag && `${flag} needs the controller service-lb: add it to --controllers`;
}

/** Parses names separated by commas. @throws InvalidArgumentError if a name is unknown */
export function parseControllerNames(text: string): readonly ControllerName[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every(isControllerName)) return names;
  throw new InvalidArgumentError(`give ${controllerNames.join(', ')}, or several of them separated by commas`);
}

const controllerNames: readonly string[] = [
  'endpoints',
  'endpointslices',
  'endpointslicemirroring',
  'service-lb',
] satisfies ControllerName[];

const isControllerName = (name: string): name is ControllerName => controllerNames.includes(name);

/** @throws InvalidArgumentError listing the accepted forms */
function parseCloud(text: string): string {
  if (text === 'memory' || text === 'tcp' || isPath(text)) return text;
  throw new InvalidArgumentError('give memory, tcp, or the path of a module that begins with ./, ../ or /');
}

/** Paths start with "/", "./" or "../"; anything else is a name. */
const isPath = (text: string): boolean => /^\.{0,2}\//.test(text);

/** @throws InvalidArgumentError */
function parseClusterName(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('give a name that no other cluster has in this cloud');
}
