import { ControlPlane, type ControlPlaneOptions } from '../control-plane/control-plane.ts'
import type { Thing } from '../manifests/objects.ts'
import { kustomized } from './kubectl.ts'

/** A control plane to which all that `kubectl apply -k deploy` brings was applied; and these objects. */
export async function startDeployed(options?: ControlPlaneOptions): Promise<{ plane: ControlPlane; objects: Thing[] }> {
  const objects = (await kustomized()) as Thing[]
  const plane = await ControlPlane.start(options)
  for (const object of objects) await plane.admin.apply({ ...object })
  await plane.admin.establishedCrds()
  return { plane, objects }
}
