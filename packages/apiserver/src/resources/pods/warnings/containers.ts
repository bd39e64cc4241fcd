import { quote } from 'kube-endpoints/internal/apimachinery';
import { type Fields, has, list, number, text } from '../../field/read.ts';

/** A container of any kind and its field path. */
interface ContainerWithPath {
  readonly container: Fields;
  readonly path: string;
}

/** All containers of a pod, in the order of VisitContainersWithPath (pkg/apis/core/pods/helpers.go, 1.36). */
export const containersWithPaths = (spec: Fields): readonly ContainerWithPath[] =>
  ['initContainers', 'containers', 'ephemeralContainers'].flatMap((name) =>
    list(spec, name).map((container, i) => ({ container, path: `spec.${name}[${i}]` })),
  );

/** Warnings about duplicate variables and conflicting ports. */
export function warningsOfContainers(spec: Fields): string[] {
  const containers = containersWithPaths(spec);
  const ports = containers.flatMap(({ container, path }) =>
    list(container, 'ports').map((port, i) => ({ port, path: `${path}.ports[${i}]` })),
  );
  return [
    ...containers.flatMap(({ container, path }) => warningsOfVariables(list(container, 'env'), `${path}.env`)),
    ...ports.flatMap((each, i) => warningsOfPort(each, ports.slice(0, i))),
    ...warningsOfPortNames(ports),
  ];
}

function warningsOfVariables(variables: readonly Fields[], path: string): string[] {
  const names = variables.map((each) => text(each, 'name'));
  return variables.flatMap((variable, i) => {
    const name = names[i] as string;
    const [value, reference] = [text(variable, 'value'), `$(${name})`];
    // A value such as "a,$(NAME)" extends the previous definition.
    const isHarmless = names.indexOf(name) === i || (!has(variable, 'valueFrom') && value !== reference && value.includes(reference));
    return isHarmless ? [] : [`${path}[${i}]: hides previous definition of ${quote(name)}, which may be dropped when using apply`];
  });
}

interface PortWithPath {
  readonly port: Fields;
  readonly path: string;
}

function warningsOfPort({ port, path }: PortWithPath, earlierPorts: readonly PortWithPath[]): string[] {
  const [ip, hostPort] = [text(port, 'hostIP'), number(port, 'hostPort')];
  const isSamePort = ({ port: other }: PortWithPath): boolean =>
    number(other, 'containerPort') === number(port, 'containerPort') && text(other, 'protocol') === text(port, 'protocol');
  return [
    ...(ip !== '' && hostPort === 0 ? [`${path}: hostIP set without hostPort: ${formatPort(port)}`] : []),
    ...earlierPorts.filter(isSamePort).flatMap((other) => {
      const conflict = conflictOf({ ip, hostPort }, { ip: text(other.port, 'hostIP'), hostPort: number(other.port, 'hostPort') });
      return conflict === undefined ? [] : [`${path}: ${conflict} port definition with ${other.path}`];
    }),
  ];
}

interface HostAddress {
  readonly ip: string;
  readonly hostPort: number;
}

function conflictOf(address: HostAddress, other: HostAddress): string | undefined {
  if (address.ip === other.ip && address.hostPort === other.hostPort) return 'duplicate';
  if (address.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  return address.hostPort === other.hostPort && (address.ip === '') !== (other.ip === '') ? 'dangerously ambiguous' : undefined;
}

const formatPort = (port: Fields): string =>
  `{Name:${text(port, 'name')} HostPort:${number(port, 'hostPort')} ContainerPort:${number(port, 'containerPort')} ` +
  `Protocol:${text(port, 'protocol')} HostIP:${text(port, 'hostIP')}}`;

function warningsOfPortNames(ports: readonly PortWithPath[]): string[] {
  const firstPathByName = new Map<string, string>();
  return ports.flatMap(({ port, path }) => {
    const name = text(port, 'name');
    const firstPath = firstPathByName.get(name);
    if (name !== '' && firstPath === undefined) firstPathByName.set(name, path);
    if (firstPath === undefined) return [];
    const consequence = `services and probes that select ports by name will use ${firstPath}`;
    return [`${path}: duplicate port name ${quote(name)} with ${firstPath}, ${consequence}`];
  });
}
