import { renderBarePage } from './shell.view.js';

/** Error page. The request ID lets an operator find the log entry. */
export const renderRefusal = (title: string, text: string, requestId?: string): string =>
  renderBarePage({
    title,
    children: (
      <>
        <p class="text-center">{text}</p>
        {requestId && <p class="text-center text-secondary">Request ID: {requestId}</p>}
        <p class="text-center mb-0">
          <a href="/portal">Go to home</a>
        </p>
      </>
    ),
  });
