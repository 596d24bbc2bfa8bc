/** Where a watch may have to be opened again and again, or tells nothing: the next scan does. */
export const byScan = { noticeMs: 12_000, goneMs: 17_000 }

/** After the API server or etcd was away others take their time as well. */
export const back = { ...byScan, restMs: 25_000, mayBeUnready: true }
