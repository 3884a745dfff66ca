import { renderBarePage } from './shell.view.js';

/** A page that says why there is no other. The id of the request leads an operator to the log. */
export const renderRefusal = (title: string, text: string, requestId?: string): string =>
  renderBarePage({
    title,
    children: (
      <>
        <p class="text-center">{text}</p>
        {requestId && <p class="text-center text-secondary">Request {requestId}</p>}
        <p class="text-center mb-0">
          <a href="/portal">Go to the start</a>
        </p>
      </>
    ),
  });
