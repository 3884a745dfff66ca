/* Progressive enhancement: all pages work without this script. */
const search = document.querySelector('[data-search]');

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, select, textarea, [contenteditable]');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!search) return;
  event.preventDefault();
  search.focus();
});

/* Prevents double submission. */
for (const form of document.querySelectorAll('form[data-once]')) {
  form.addEventListener('submit', () => {
    for (const button of form.querySelectorAll('button')) button.disabled = true;
  });
}

/* Keyboard hints are shown only where the shortcuts work. */
for (const hint of document.querySelectorAll('[data-keys]')) hint.hidden = false;

/* Order list: j and k move to the next and previous row, Enter opens it. */
document.querySelector('[data-rows]')?.addEventListener('keydown', (event) => {
  if (!['j', 'k'].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...event.currentTarget.querySelectorAll('[data-row]')];
  const at = links.indexOf(document.activeElement);
  links[event.key === 'j' ? at + 1 : Math.max(at - 1, 0)]?.focus();
});

/* Filter panels close like menus. */
document.addEventListener('keydown', (event) => {
  const open = event.key === 'Escape' && document.querySelector('details.filter[open]');
  if (!open) return;
  open.open = false;
  open.querySelector('summary').focus();
});
document.addEventListener('click', (event) => {
  const open = document.querySelector('details.filter[open]');
  if (open && !open.contains(event.target)) open.open = false;
});

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent);
    button.textContent = 'Copied';
  });
}

/* Refreshes progress, unless the focus is inside. */
const REFRESH_MS = 3_000;
const refreshed = document.querySelector('[data-refresh]');
if (refreshed) {
  const timer = setInterval(async () => {
    if (document.hidden || refreshed.contains(document.activeElement)) return;
    const reply = await fetch(location.href).catch(() => null);
    if (!reply?.ok || reply.redirected) return;
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    const news = page.querySelector('[data-refreshed]');
    if (news) refreshed.replaceChildren(...news.childNodes);
    if (!page.querySelector('[data-refresh]')) clearInterval(timer);
  }, REFRESH_MS);
}
