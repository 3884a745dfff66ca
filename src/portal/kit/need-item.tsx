import type { ComponentChildren } from 'preact';
import { Icon } from './icons.js';

/** List item for a task that needs attention. */
export const NeedItem = ({ children }: { readonly children: ComponentChildren }) => (
  <li>
    <span class="tag dot warn">
      <Icon name="warning" />
    </span>
    <div>{children}</div>
  </li>
);
