/** The types of object metadata (Kubernetes 1.36); type-text.ts describes the notation. */
export const metaTypes = `
Condition
  lastTransitionTime:u message:s observedGeneration:n reason:s status:s type:s=""
LabelSelector atomic
  matchExpressions:[]LabelSelectorRequirement matchLabels:{}s
LabelSelectorRequirement
  key:s operator:s values:[]s
ManagedFieldsEntry
  apiVersion:s fieldsType:s fieldsV1:{}deduced manager:s operation:s subresource:s time:u
ObjectMeta
  annotations:{}s creationTimestamp:u deletionGracePeriodSeconds:n deletionTimestamp:u finalizers:[set]s|merge generateName:s
  generation:n labels:{}s managedFields:[]ManagedFieldsEntry name:s namespace:s ownerReferences:[uid]OwnerReference|merge|uid
  resourceVersion:s selfLink:s uid:s
OwnerReference atomic
  apiVersion:s blockOwnerDeletion:b controller:b kind:s name:s uid:s=""
`;
