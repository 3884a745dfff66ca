// Draws the reference from the OpenAPI document, in the colours that the reader's system prefers.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

// What Swagger UI leaves out for those who hear the page or have no mouse.
const REPAIRS = [
  ['.information-container', { role: 'region', ariaLabel: 'About' }],
  ['.opblock-tag, .models h4', { ariaLevel: '2' }],
  ['.opblock h4', { ariaLevel: '3' }],
  ['.opblock h5', { ariaLevel: '4' }],
  ['.examples-select-element', { ariaLabel: 'Example' }],
  ['.parameters select', { ariaLabel: 'Value' }],
  ['pre.microlight', { tabIndex: 0 }],
];

const repair = () => {
  for (const [selector, attributes] of REPAIRS) {
    for (const element of document.querySelectorAll(selector)) Object.assign(element, attributes);
  }
};

new MutationObserver(repair).observe(document.querySelector('#reference'), {
  childList: true,
  subtree: true,
});

SwaggerUIBundle({
  url: document.querySelector('#reference').dataset.document,
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  syntaxHighlight: { theme: 'obsidian' },
  validatorUrl: null,
  // A link inside the button that opens an operation could not be reached with a keyboard.
  plugins: [
    {
      wrapComponents: {
        DeepLink:
          () =>
          ({ text }) =>
            text,
      },
    },
  ],
});
