import { findRangeProblems } from '../../../formats/names.ts';
import { asJson, type Causes, validateChoice } from '../../field/causes.ts';
import { child, type Fields, flag, has, list, number, text, texts } from '../../field/read.ts';
import { validateDescendingPath } from './paths.ts';

/** Maximum Linux user and group ID. */
const maxId = 2 ** 31 - 1;

/** Mirrors validatePodSpecSecurityContext (pkg/apis/core/validation, 1.36). */
export function validatePodSecurity(spec: Fields, causes: Causes): void {
  const field = 'spec.securityContext';
  const context = child(spec, 'securityContext');
  validateIds(context, ['fsGroup', 'runAsUser', 'runAsGroup'], field, causes);
  const groups = Array.isArray(context['supplementalGroups']) ? context['supplementalGroups'] : [];
  for (const [i, group] of groups.entries()) {
    for (const message of findRangeProblems(Number(group), 0, maxId)) causes.invalid(`${field}.supplementalGroups[${i}]`, group, message);
  }
  if (flag(spec, 'shareProcessNamespace') && flag(spec, 'hostPID')) {
    causes.invalid(`${field}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled');
  }
  validateSysctls(list(context, 'sysctls'), spec, `${field}.sysctls`, causes);
  validateChoice(context, 'fsGroupChangePolicy', `${field}.fsGroupChangePolicy`, ['Always', 'OnRootMismatch'], causes);
  validateProfiles(context, field, causes);
  validateChoice(context, 'supplementalGroupsPolicy', `${field}.supplementalGroupsPolicy`, ['Merge', 'Strict'], causes);
  validateChoice(context, 'seLinuxChangePolicy', `${field}.seLinuxChangePolicy`, ['Recursive'], causes);
}

/** Mirrors ValidateSecurityContext. */
export function validateContainerSecurity(context: Fields, hostUsers: boolean, field: string, causes: Causes): void {
  if (flag(context, 'privileged')) causes.forbidden(`${field}.privileged`, 'disallowed by cluster policy');
  validateIds(context, ['runAsUser', 'runAsGroup'], field, causes);
  validateChoice(context, 'procMount', `${field}.procMount`, ['Default', 'Unmasked'], causes);
  if (hostUsers && text(context, 'procMount') === 'Unmasked') {
    causes.invalid(`${field}.procMount`, asJson('Unmasked'), '`hostUsers` must be false to use `Unmasked`');
  }
  if (context['allowPrivilegeEscalation'] === false) validateEscalation(context, field, causes);
  validateProfiles(context, field, causes);
}

function validateIds(context: Fields, names: readonly string[], field: string, causes: Causes): void {
  for (const name of names) {
    if (!has(context, name)) continue;
    for (const message of findRangeProblems(number(context, name), 0, maxId))
      causes.invalid(`${field}.${name}`, number(context, name), message);
  }
}

function validateEscalation(context: Fields, field: string, causes: Causes): void {
  const reportConflict = (conflict: string): void =>
    causes.invalid(field, toPrintedContext(context), `cannot set \`allowPrivilegeEscalation\` to false and ${conflict}`);
  if (flag(context, 'privileged')) reportConflict('`privileged` to true');
  for (const capability of texts(child(context, 'capabilities'), 'add')) {
    if (capability === 'CAP_SYS_ADMIN') reportConflict('`capabilities.Add` CAP_SYS_ADMIN');
  }
}

/** Formats a security context as upstream's messages do: as the internal Go type, with Go field names and every field. */
function toPrintedContext(context: Fields): Fields {
  const capabilities = child(context, 'capabilities');
  const scalar = (name: string): unknown => context[name] ?? null;
  return {
    Capabilities: has(context, 'capabilities') ? { Add: capabilities['add'] ?? null, Drop: capabilities['drop'] ?? null } : null,
    Privileged: scalar('privileged'),
    SELinuxOptions: toGoStruct(context, 'seLinuxOptions', { User: '', Role: '', Type: '', Level: '' }),
    WindowsOptions: toGoStruct(context, 'windowsOptions', windowsZeros),
    RunAsUser: scalar('runAsUser'),
    RunAsGroup: scalar('runAsGroup'),
    RunAsNonRoot: scalar('runAsNonRoot'),
    ReadOnlyRootFilesystem: scalar('readOnlyRootFilesystem'),
    AllowPrivilegeEscalation: scalar('allowPrivilegeEscalation'),
    ProcMount: scalar('procMount'),
    SeccompProfile: toGoStruct(context, 'seccompProfile', profileZeros),
    AppArmorProfile: toGoStruct(context, 'appArmorProfile', profileZeros),
  };
}

const profileZeros: Fields = { Type: '', LocalhostProfile: null };
const windowsZeros: Fields = { GMSACredentialSpecName: null, GMSACredentialSpec: null, RunAsUserName: null, HostProcess: null };

/** Upstream prints its internal type. Its field names differ from the JSON names only in case. */
function toGoStruct(context: Fields, name: string, zeros: Fields): unknown {
  if (!has(context, name)) return null;
  const values = new Map(Object.entries(child(context, name)).map(([key, value]) => [key.toLowerCase(), value]));
  return Object.fromEntries(Object.entries(zeros).map(([key, zero]) => [key, values.get(key.toLowerCase()) ?? zero]));
}

const sysctlPattern = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const sysctlRegexText = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

function validateSysctls(sysctls: readonly Fields[], spec: Fields, field: string, causes: Causes): void {
  const names = sysctls.map((each) => text(each, 'name'));
  for (const [i, name] of names.entries()) {
    const nameField = `${field}[${i}].name`;
    if (name === '') causes.required(nameField);
    else if (name.length > 253 || !sysctlPattern.test(name)) {
      causes.invalid(nameField, name, `must have at most 253 characters and match regex ${sysctlRegexText}`);
    } else if (names.indexOf(name) < i) causes.duplicate(nameField, name);
    if (flag(spec, 'hostNetwork') && /^net[./]/.test(name))
      causes.invalid(nameField, name, "may not be specified when 'hostNetwork' is true");
    else if (flag(spec, 'hostIPC') && ipcSysctl.test(name)) causes.invalid(nameField, name, "may not be specified when 'hostIPC' is true");
  }
}

const ipcSysctl = /^(?:kernel[./](?:sem$|shm|msg)|fs[./]mqueue[./])/;

const profileTypes: readonly string[] = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateProfiles(context: Fields, field: string, causes: Causes): void {
  if (has(context, 'seccompProfile')) validateSeccomp(child(context, 'seccompProfile'), `${field}.seccompProfile`, causes);
  if (has(context, 'appArmorProfile')) validateAppArmor(child(context, 'appArmorProfile'), `${field}.appArmorProfile`, causes);
}

function validateSeccomp(profile: Fields, field: string, causes: Causes): void {
  validateProfileType(profile, 'seccompProfile', field, causes);
  const pathField = `${field}.localhostProfile`;
  if (text(profile, 'type') !== 'Localhost') {
    if (!has(profile, 'localhostProfile')) return;
    const printed = { Type: text(profile, 'type'), LocalhostProfile: profile['localhostProfile'] };
    causes.invalid(pathField, printed, 'can only be set when seccomp type is Localhost');
  } else if (!has(profile, 'localhostProfile')) causes.required(pathField, 'must be set when seccomp type is Localhost');
  else validateDescendingPath(text(profile, 'localhostProfile'), pathField, causes);
}

function validateAppArmor(profile: Fields, field: string, causes: Causes): void {
  const [type, path, pathField] = [text(profile, 'type'), text(profile, 'localhostProfile'), `${field}.localhostProfile`];
  if (type === 'Localhost') {
    if (path.trim() !== path) causes.invalid(pathField, path, 'must not be padded with whitespace');
    else if (path === '') causes.required(pathField, 'must be set when AppArmor type is Localhost');
    if (path.length > 4095) causes.tooLong(pathField, 4095);
  } else if (profileTypes.includes(type)) {
    if (has(profile, 'localhostProfile')) causes.invalid(pathField, asJson(path), 'can only be set when AppArmor type is Localhost');
  } else validateProfileType(profile, 'appArmorProfile', field, causes);
}

function validateProfileType(profile: Fields, profileField: string, field: string, causes: Causes): void {
  const type = text(profile, 'type');
  if (type === '') causes.required(`${field}.type`, `type is required when ${profileField} is set`);
  else if (!profileTypes.includes(type)) causes.notSupported(`${field}.type`, asJson(type), profileTypes);
}
