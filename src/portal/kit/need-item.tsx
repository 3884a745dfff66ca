import type { ComponentChildren } from 'preact';
import { Icon } from './icons.js';

/** One thing that does not go on by itself, in a list of them. */
export const NeedItem = ({ children }: { readonly children: ComponentChildren }) => (
  <li>
    <span class="tag dot warn">
      <Icon name="warning" />
    </span>
    <div>{children}</div>
  </li>
);
