import type { Dispatcher } from 'undici'

/** The request was no longer wanted when its connection was free to write it. */
export class Withdrawn extends Error {
  constructor() {
    super('withdrawn before it was sent')
    this.name = 'Withdrawn'
  }
}

export interface GuardedOptions extends Dispatcher.RequestOptions {
  /** Asked in the synchronous turn in which the request is written. */
  readonly isWanted?: (() => boolean) | undefined
}

/**
 * undici looks at an idle connection for a turn of the event loop before it writes to it, and a queue may hold a request
 * longer: what was decided when the request was made may have changed. This asks again at the last moment.
 */
export const writeGuard: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { isWanted } = options as GuardedOptions
  return dispatch(options, isWanted === undefined ? handler : guarded(handler, isWanted))
}

function guarded(handler: Dispatcher.DispatchHandler, isWanted: () => boolean): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      handler.onRequestStart?.(controller, context)
      if (!isWanted()) controller.abort(new Withdrawn())
    },
    onResponseStart: (...answer) => handler.onResponseStart?.(...answer),
    onResponseData: (...chunk) => handler.onResponseData?.(...chunk),
    onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
    onResponseError: (...error) => handler.onResponseError?.(...error),
  }
}
