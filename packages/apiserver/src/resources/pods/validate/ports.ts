import { portName, portNumber } from '../../../formats/names.ts';
import { validateProtocol } from '../../endpoints/endpoints.ts';
import type { Causes } from '../../field/causes.ts';
import { type Fields, list, number, text } from '../../field/read.ts';

/** Mirrors validateContainerPorts (pkg/apis/core/validation, 1.36). */
export function validateContainerPorts(ports: readonly Fields[], field: string, causes: Causes): void {
  const names = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const name = text(port, 'name');
    if (name !== '') {
      const messages = portName(name);
      for (const message of messages) causes.invalid(`${field}[${i}].name`, name, message);
      if (messages.length === 0 && names.has(name)) causes.duplicate(`${field}[${i}].name`, name);
      if (messages.length === 0) names.add(name);
    }
    validateNumbers(port, `${field}[${i}]`, causes);
    validateProtocol(text(port, 'protocol'), `${field}[${i}].protocol`, causes);
  }
}

function validateNumbers(port: Fields, field: string, causes: Causes): void {
  const [containerPort, hostPort] = [number(port, 'containerPort'), number(port, 'hostPort')];
  if (containerPort === 0) causes.required(`${field}.containerPort`);
  else for (const message of portNumber(containerPort)) causes.invalid(`${field}.containerPort`, containerPort, message);
  if (hostPort !== 0) for (const message of portNumber(hostPort)) causes.invalid(`${field}.hostPort`, hostPort, message);
}

/** Host ports must be unique among the containers. Mirrors checkHostPortConflicts. */
export function validateUniqueHostPorts(containers: readonly Fields[], fieldOf: (index: number) => string, causes: Causes): void {
  const seenHostPorts = new Set<string>();
  for (const [i, container] of containers.entries()) {
    for (const [j, port] of list(container, 'ports').entries()) {
      const hostPort = number(port, 'hostPort');
      if (hostPort === 0) continue;
      const key = `${text(port, 'protocol')}/${text(port, 'hostIP')}/${hostPort}`;
      if (seenHostPorts.has(key)) causes.duplicate(`${fieldOf(i)}.ports[${j}].hostPort`, key);
      seenHostPorts.add(key);
    }
  }
}
