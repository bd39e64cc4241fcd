import { expect, test } from 'vitest';
import { validateContainerSecurity, validatePodSecurity } from '../../../../src/resources/pods/validate/security.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const containerCauses = (context: object, hostUsers = true): string[] =>
  reportedCauses((causes) => validateContainerSecurity(context as Record<string, unknown>, hostUsers, 'c', causes));
const podFields = (securityContext: object, fields: object = {}): string[] =>
  fieldsOf(reportedCauses((causes) => validatePodSecurity({ securityContext, ...fields }, causes)));

test.each([
  [{ privileged: true }, ['c.privileged']],
  [{ runAsUser: -1, runAsGroup: 2 ** 31 }, ['c.runAsUser', 'c.runAsGroup']],
  [{ procMount: 'Unmasked' }, ['c.procMount']],
  [{ seccompProfile: { type: 'Localhost' } }, ['c.seccompProfile.localhostProfile']],
  [{ seccompProfile: { type: 'Localhost', localhostProfile: '/a' } }, ['c.seccompProfile.localhostProfile']],
  [{ seccompProfile: {} }, ['c.seccompProfile.type']],
  [{ appArmorProfile: { type: 'Localhost', localhostProfile: ' a' } }, ['c.appArmorProfile.localhostProfile']],
  [{ appArmorProfile: { type: 'Unconfined', localhostProfile: 'a' } }, ['c.appArmorProfile.localhostProfile']],
  [{ appArmorProfile: { type: 'Odd' } }, ['c.appArmorProfile.type']],
])('validateContainerSecurity checks %j', (context, fields) => expect(fieldsOf(containerCauses(context))).toEqual(fields));

test('allowPrivilegeEscalation false conflicts with CAP_SYS_ADMIN', () => {
  expect(
    containerCauses({ allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] }, seLinuxOptions: { level: 'x' } })[0],
  ).toBe(
    'FieldValueInvalid c: Invalid value: {"Capabilities":{"Add":["CAP_SYS_ADMIN"],"Drop":null},"Privileged":null,' +
      '"SELinuxOptions":{"User":"","Role":"","Type":"","Level":"x"},"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,' +
      '"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,' +
      '"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
  );
});

test('procMount Unmasked is allowed if hostUsers is false', () => {
  const hostUsers = false;
  expect(containerCauses({ procMount: 'Unmasked' }, hostUsers)).toEqual([]);
});

test('validatePodSecurity rejects invalid fields, and fields that do not fit the host namespaces of the pod', () => {
  expect(podFields({ fsGroup: -1, supplementalGroups: [1, -1], fsGroupChangePolicy: 'Odd', seLinuxChangePolicy: 'MountOption' })).toEqual(
    ['fsGroup', 'supplementalGroups[1]', 'fsGroupChangePolicy', 'seLinuxChangePolicy'].map((name) => `spec.securityContext.${name}`),
  );
  expect(podFields({}, { shareProcessNamespace: true, hostPID: true })).toEqual(['spec.securityContext.shareProcessNamespace']);
  const sysctls = [{ name: 'net.a' }, { name: 'net.a' }, { name: 'A' }, {}];
  expect(podFields({ sysctls })).toEqual([1, 2, 3].map((i) => `spec.securityContext.sysctls[${i}].name`));
  expect(podFields({ sysctls: [{ name: 'net.a' }, { name: 'kernel.shmmax' }] }, { hostNetwork: true, hostIPC: true })).toHaveLength(2);
});
