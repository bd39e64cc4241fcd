import { expect, test } from 'vitest';
import { validateAnnotationsUpdate, validatePodAnnotations } from '../../../../src/resources/pods/validate/annotations.ts';
import { fieldsOf, reportedCauses } from '../../support.ts';

const pod = (metadata: object): Record<string, unknown> => ({ metadata, spec: { containers: [{ name: 'main' }] } });

test('validatePodAnnotations checks the deletion cost, mirror and tolerations annotations', () => {
  const check = (annotations: object): string[] =>
    fieldsOf(reportedCauses((causes) => validatePodAnnotations(pod({ annotations }), causes)));
  const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
  for (const good of ['0', '-5', '-05', '-0', '2147483647', '-2147483648']) expect(check({ [costAnnotation]: good })).toEqual([]);
  for (const bad of ['', '+5', '05', '1.5', '-', '2147483648', '-2147483649'])
    expect(check({ [costAnnotation]: bad })).toEqual([`metadata.annotations[${costAnnotation}]`]);
  expect(check({ 'kubernetes.io/config.mirror': '' })).toEqual(['metadata.annotations[kubernetes.io/config.mirror]']);
  const tolerationsAnnotation = 'scheduler.alpha.kubernetes.io/tolerations';
  expect(check({ [tolerationsAnnotation]: '{' })).toEqual(['metadata.annotations']);
  expect(check({ [tolerationsAnnotation]: '[{}]' })).toEqual([`metadata.annotations.${tolerationsAnnotation}[0].operator`]);
});

test('AppArmor annotations are immutable', () => {
  const key = 'container.apparmor.security.beta.kubernetes.io/main';
  const change = (after: object, before: object): string[] =>
    reportedCauses((causes) => validateAnnotationsUpdate(pod({ annotations: after }), pod({ annotations: before }), causes));
  expect(change({ [key]: 'localhost/x' }, {})).toEqual([
    `FieldValueForbidden metadata.annotations[${key}]: Forbidden: may not add AppArmor annotations`,
  ]);
  expect(change({}, { [key]: 'localhost/x' })[0]).toMatch(/may not remove or update/);
  expect(change({ other: 'x' }, {})).toEqual([]);
});

test('validatePodAnnotations checks seccomp and AppArmor profiles', () => {
  const field = 'metadata.annotations';
  const check = (key: string, value: string): string[] =>
    reportedCauses((causes) => validatePodAnnotations(pod({ annotations: { [key]: value } }), causes)).map((line) =>
      line.replace(/^\S+ /, ''),
    );
  for (const key of ['seccomp.security.alpha.kubernetes.io/pod', 'container.seccomp.security.alpha.kubernetes.io/main']) {
    for (const profile of ['runtime/default', 'docker/default', 'unconfined', 'localhost/a']) expect(check(key, profile)).toEqual([]);
    expect(check(key, 'x')).toEqual([`${field}.${key}: Invalid value: "x": must be a valid seccomp profile`]);
    expect(check(key, 'localhost/../a')).toEqual([`${field}.${key}: Invalid value: "../a": must not contain '..'`]);
  }
  const appArmor = 'container.apparmor.security.beta.kubernetes.io/';
  for (const profile of ['', 'runtime/default', 'unconfined', 'localhost/a']) expect(check(`${appArmor}main`, profile)).toEqual([]);
  expect(check(`${appArmor}main`, 'x')).toEqual([`${field}[${appArmor}main]: Invalid value: "x": invalid AppArmor profile name: "x"`]);
  expect(check(`${appArmor}other`, '')).toEqual([`${field}[${appArmor}other]: Invalid value: "other": container not found`]);
});
