/** The label that names the Service of a slice. */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** The label that names who writes a slice; nobody else may. */
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';

/** The managed-by value of the EndpointSlice controller. */
export const sliceController = 'endpointslice-controller.k8s.io';

/** The managed-by value of the mirroring controller. */
export const mirroringController = 'endpointslicemirroring-controller.k8s.io';
