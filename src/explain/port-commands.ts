import type { ContainerPort, ServicePort } from '../types/index.ts';
import { isTypo } from './nearest.ts';
import type { DiagnosisInput, RootCause } from './root-cause.ts';
import { quote } from './shell.ts';

interface PortContext extends DiagnosisInput {
  readonly cause: RootCause;
  readonly kubectl: string;
  readonly serviceName: string;
}

/** Changes the protocol, or the target port, of a Service port to that of the declared port that is probably meant. */
export function patchPort(context: PortContext): string | undefined {
  const { kubectl, service, serviceName, cause } = context;
  const [, index] = /^service\.spec\.ports\[(\d+)\]/.exec(cause.reason.path) ?? [];
  const port = service.spec?.ports?.[Number(index)];
  if (!port) return undefined;
  const declared = listDeclaredPorts(context);
  const change = findSameName(port, declared) ?? findProtocol(port, declared) ?? findTarget(port, declared);
  if (!change) return undefined;
  const patch = [{ op: 'replace', path: `/spec/ports/${index}/${change.field}`, value: change.value }];
  return `${kubectl} patch service ${quote(serviceName)} --type=json -p ${quote(JSON.stringify(patch))}`;
}

interface Change {
  readonly field: string;
  readonly value: string | number;
}

function listDeclaredPorts({ selectedPods }: PortContext): ContainerPort[] {
  const ports = selectedPods.flatMap(({ spec }) => (spec?.containers ?? []).flatMap((container) => container.ports ?? []));
  return [...new Map(ports.map((port) => [`${targetOf(port)}/${port.protocol || 'TCP'}`, port])).values()];
}

/** The declared port that has the name and the protocol of the Service port. */
function findSameName({ name, protocol }: ServicePort, declared: readonly ContainerPort[]): Change | undefined {
  const port = name ? declared.find((each) => each.name === name && (each.protocol || 'TCP') === (protocol || 'TCP')) : undefined;
  return port && { field: 'targetPort', value: targetOf(port) };
}

/** The protocol of the declared port that has the wanted name or number. */
function findProtocol({ targetPort }: ServicePort, declared: readonly ContainerPort[]): Change | undefined {
  const same = declared.filter(
    ({ name, containerPort }) => targetPort !== undefined && (name === targetPort || containerPort === targetPort),
  );
  const [port] = same;
  return port && same.length === 1 ? { field: 'protocol', value: port.protocol || 'TCP' } : undefined;
}

/** The only declared port, or the declared port whose name is similar to the target port or to the Service port. */
function findTarget({ name, targetPort, protocol }: ServicePort, declared: readonly ContainerPort[]): Change | undefined {
  const candidates = declared.filter((port) => (port.protocol || 'TCP') === (protocol || 'TCP'));
  const isMeant = (port: ContainerPort): boolean =>
    [targetPort, name].some((text) => typeof text === 'string' && text !== '' && isTypo(text, port.name ?? ''));
  const meant = candidates.length === 1 ? candidates : candidates.filter(isMeant);
  const [port] = meant;
  return port && meant.length === 1 ? { field: 'targetPort', value: targetOf(port) } : undefined;
}

const targetOf = ({ name, containerPort }: ContainerPort): string | number => name || (containerPort ?? 0);
