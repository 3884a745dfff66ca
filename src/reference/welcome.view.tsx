import { NEWEST_API_VERSION } from '../common/api-version.js';
import { renderDocsPage } from './docs.view.js';
import { PLACES, SOFTWARE_VERSION } from './welcome.js';

/** @param demoFile file with the sign-ins of the demo; undefined without a demo */
export const renderWelcome = (demoFile: string | undefined): Promise<string> =>
  renderDocsPage({
    title: 'Welcome',
    children: (
      <main class="page">
        <h1>A payment service of your own</h1>
        <p class="lead">
          A shop’s program creates an order here, its payer pays on a hosted page, and the shop
          learns for certain whether the money came.
        </p>
        {demoFile !== undefined && <Demo file={demoFile} />}
        <dl class="codes">
          {Object.values(PLACES).map(({ path, title, help }) => (
            <div key={path}>
              <dt>
                <a href={path}>{title}</a>
              </dt>
              <dd>{help}</dd>
            </div>
          ))}
        </dl>
        <h2>Do you want to pay?</h2>
        <p>
          Open the link that your shop gave you: it leads to the page of your order, where you see
          the amount and whom you pay. With questions about the order, ask the shop.
        </p>
        <p class="lead">
          Version {SOFTWARE_VERSION}, interface {NEWEST_API_VERSION}
        </p>
      </main>
    ),
  });

const Demo = ({ file }: { readonly file: string }) => (
  <p class="note">
    This is a demo. Its API keys, and an e-mail address and password for each role of the portal,
    are on the service’s machine, in <code>{file}</code>.
  </p>
);
