import { quote } from 'kube-endpoints/internal';
import { type Fields, has, list, number, text } from '../../field/read.ts';

/** A container of any kind and its field path. */
interface PlacedContainer {
  readonly container: Fields;
  readonly path: string;
}

/** In the order of VisitContainersWithPath (pkg/apis/core/pods/helpers.go, 1.36). */
export const containersWithPaths = (spec: Fields): readonly PlacedContainer[] =>
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
    ...containers.flatMap(({ container, path }) => ofVariables(list(container, 'env'), `${path}.env`)),
    ...ports.flatMap((each, i) => ofPort(each, ports.slice(0, i))),
    ...ofNames(ports),
  ];
}

function ofVariables(variables: readonly Fields[], path: string): string[] {
  const names = variables.map((each) => text(each, 'name'));
  return variables.flatMap((variable, i) => {
    const name = names[i] as string;
    const [value, own] = [text(variable, 'value'), `$(${name})`];
    // A value that contains the previous one does not hide it.
    const isHarmless = names.indexOf(name) === i || (!has(variable, 'valueFrom') && value !== own && value.includes(own));
    return isHarmless ? [] : [`${path}[${i}]: hides previous definition of ${quote(name)}, which may be dropped when using apply`];
  });
}

interface PlacedPort {
  readonly port: Fields;
  readonly path: string;
}

function ofPort({ port, path }: PlacedPort, before: readonly PlacedPort[]): string[] {
  const [ip, host] = [text(port, 'hostIP'), number(port, 'hostPort')];
  const isSame = ({ port: other }: PlacedPort): boolean =>
    number(other, 'containerPort') === number(port, 'containerPort') && text(other, 'protocol') === text(port, 'protocol');
  return [
    ...(ip !== '' && host === 0 ? [`${path}: hostIP set without hostPort: ${printed(port)}`] : []),
    ...before.filter(isSame).flatMap((other) => {
      const how = conflictOf({ ip, host }, { ip: text(other.port, 'hostIP'), host: number(other.port, 'hostPort') });
      return how === undefined ? [] : [`${path}: ${how} port definition with ${other.path}`];
    }),
  ];
}

interface OnHost {
  readonly ip: string;
  readonly host: number;
}

function conflictOf(one: OnHost, other: OnHost): string | undefined {
  if (one.ip === other.ip && one.host === other.host) return 'duplicate';
  if (one.host === 0 || other.host === 0) return 'overlapping';
  return one.host === other.host && (one.ip === '') !== (other.ip === '') ? 'dangerously ambiguous' : undefined;
}

/** Formats the struct as Go does. */
const printed = (port: Fields): string =>
  `{Name:${text(port, 'name')} HostPort:${number(port, 'hostPort')} ContainerPort:${number(port, 'containerPort')} ` +
  `Protocol:${text(port, 'protocol')} HostIP:${text(port, 'hostIP')}}`;

function ofNames(ports: readonly PlacedPort[]): string[] {
  const first = new Map<string, string>();
  return ports.flatMap(({ port, path }) => {
    const name = text(port, 'name');
    const other = first.get(name);
    if (name !== '' && other === undefined) first.set(name, path);
    if (other === undefined) return [];
    const used = `services and probes that select ports by name will use ${other}`;
    return [`${path}: duplicate port name ${quote(name)} with ${other}, ${used}`];
  });
}
