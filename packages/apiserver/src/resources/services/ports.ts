import { dns1123Label, portName, portNumber } from '../../formats/names.ts';
import { validateAppProtocol, validateProtocol } from '../endpoints/endpoints.ts';
import type { Causes } from '../field/causes.ts';
import { type Fields, list, number, text } from '../field/read.ts';

/** Validates ports in two phases, because upstream validates other fields in between. */
export function validatePorts(spec: Fields, causes: Causes, phase: 'fields' | 'uniqueness'): void {
  const ports = list(spec, 'ports');
  if (phase === 'fields') {
    const names = new Set<string>();
    for (const [i, port] of ports.entries()) validatePort(port, ports.length > 1, names, `spec.ports[${i}]`, causes);
    return;
  }
  if (text(spec, 'type') === 'ClusterIP') {
    for (const [i, port] of ports.entries()) {
      if (number(port, 'nodePort') !== 0) causes.forbidden(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'");
    }
  }
  validateUnique(ports, causes);
}

/** Mirrors validateServicePort (pkg/apis/core/validation, 1.36). */
function validatePort(port: Fields, isNameRequired: boolean, names: Set<string>, field: string, causes: Causes): void {
  const name = text(port, 'name');
  if (name === '') {
    if (isNameRequired) causes.required(`${field}.name`);
  } else {
    for (const message of dns1123Label(name)) causes.invalid(`${field}.name`, name, message);
    if (names.has(name)) causes.duplicate(`${field}.name`, name);
    names.add(name);
  }
  for (const message of portNumber(number(port, 'port'))) causes.invalid(`${field}.port`, number(port, 'port'), message);
  validateProtocol(text(port, 'protocol'), `${field}.protocol`, causes);
  validatePortNumberOrName(port['targetPort'], `${field}.targetPort`, causes);
  validateAppProtocol(port, field, causes);
}

/** Mirrors ValidatePortNumOrName. */
export function validatePortNumberOrName(value: unknown, field: string, causes: Causes): void {
  const messages = typeof value === 'string' ? portName(value) : portNumber(typeof value === 'number' ? value : 0);
  for (const message of messages) causes.invalid(field, typeof value === 'string' ? value : (value ?? 0), message);
}

function validateUnique(ports: readonly Fields[], causes: Causes): void {
  const nodePorts = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const nodePort = number(port, 'nodePort');
    const key = `${text(port, 'protocol')}/${nodePort}`;
    if (nodePort !== 0 && nodePorts.has(key)) causes.duplicate(`spec.ports[${i}].nodePort`, nodePort);
    nodePorts.add(key);
  }
  const portKeys = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const [protocol, value] = [text(port, 'protocol'), number(port, 'port')];
    const key = `${protocol}/${value}`;
    if (portKeys.has(key)) causes.duplicate(`spec.ports[${i}]`, toGoStruct(protocol, value));
    portKeys.add(key);
  }
}

/** Upstream prints its internal type, which has no JSON names. */
const toGoStruct = (protocol: string, port: number): Fields => ({
  Name: '',
  Protocol: protocol,
  AppProtocol: null,
  Port: port,
  TargetPort: 0,
  NodePort: 0,
});
