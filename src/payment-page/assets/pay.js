// The page works without this script. With it, the page updates itself and counts down.
// It displays only what the server has rendered.
const POLL_VISIBLE_MS = 4_000;
const POLL_HIDDEN_MS = 15_000;
const RESEND_AFTER_MS = 10_000;
const DAY_MS = 86_400_000;
const COPIED_MS = 2_000;

const news = document.getElementById('news');
const main = () => document.querySelector('main');
let source;
let poll;
let ticker;
let leaving;

async function refresh() {
  const answer = await fetch(location.href).catch(() => undefined);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.querySelector('main');
  if (!fresh || fresh.dataset.state === main().dataset.state || isOlder(fresh)) return;
  document.title = page.title;
  main().replaceWith(fresh);
  fresh.querySelector('h1').focus();
  news.textContent = fresh.querySelector('.happened')?.textContent ?? '';
  countDown();
  takeBack();
  offerCopies();
  if (!fresh.dataset.events) stopWatching();
}

// Answers can arrive out of order.
const isOlder = (fresh) => versionOf(fresh) < versionOf(main());
const versionOf = ({ dataset }) => Number(dataset.state.split('.')[1]);

function watch() {
  if (!main().dataset.events) return;
  source = new EventSource(main().dataset.events);
  source.onopen = () => clearTimeout(poll);
  source.onerror = pollSoon;
  source.addEventListener('status', (event) => {
    if (event.data !== main().dataset.state) refresh();
  });
}

function stopWatching() {
  source?.close();
  source = undefined;
  clearTimeout(poll);
}

function pollSoon() {
  clearTimeout(poll);
  poll = setTimeout(
    async () => {
      await refresh();
      if (source && source.readyState !== EventSource.OPEN) pollSoon();
    },
    document.hidden ? POLL_HIDDEN_MS : POLL_VISIBLE_MS,
  );
}

function countDown() {
  clearInterval(ticker);
  const time = main().querySelector('.deadline time');
  if (!time) return;
  // Corrects the payer's clock by the server's.
  const skew = Date.now() - Date.parse(main().dataset.now);
  const deadline = Date.parse(time.dateTime);
  let announced = Infinity;
  const tick = () => {
    const left = deadline + skew - Date.now();
    const minutes = Math.ceil(left / 60_000);
    if (minutes < announced && announced !== Infinity)
      news.textContent = time.dataset[`minutes-${minutes}`] ?? news.textContent;
    announced = minutes;
    showLeft(left);
    if (left > 0) return;
    clearInterval(ticker);
    refresh();
  };
  showLocally(time, deadline, deadline + skew - Date.now() < DAY_MS);
  ticker = setInterval(tick, 1_000);
  tick();
}

function showLeft(left) {
  const box = document.getElementById('left');
  box.hidden = left <= 0 || left >= DAY_MS;
  const seconds = Math.floor(left / 1_000);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (!parts[0]) parts.shift();
  const text = parts.map((part, i) => (i ? String(part).padStart(2, '0') : part)).join(':');
  box.querySelector('[role=timer]').textContent = text;
}

function showLocally(time, deadline, isSoon) {
  const language = `${document.documentElement.lang}-u-nu-latn`;
  const day = isSoon ? {} : { day: 'numeric', month: 'long' };
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  time.textContent = new Date(deadline).toLocaleString(language, { ...day, ...clock });
}

// Follows the link, unless the payer stays.
function takeBack() {
  const seconds = document.querySelector('#leaving [role=timer]');
  if (!seconds) return;
  const end = Date.now() + seconds.textContent * 1_000;
  leaving = setInterval(() => {
    const left = Math.ceil((end - Date.now()) / 1_000);
    seconds.textContent = Math.max(left, 0);
    if (left > 0) return;
    clearInterval(leaving);
    location.assign(document.getElementById('back').href);
  }, 200);
}

function stay() {
  clearInterval(leaving);
  document.getElementById('leaving')?.remove();
}

function offerCopies() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false;
}

async function copy(button) {
  const copied = await navigator.clipboard.writeText(button.dataset.copy).then(
    () => true,
    () => false,
  );
  if (!copied)
    return getSelection().selectAllChildren(
      button.parentElement.previousElementSibling.firstElementChild,
    );
  if (button.classList.contains('copied')) return;
  const text = button.textContent;
  news.textContent = button.textContent = button.closest('dl').dataset.copied;
  button.classList.add('copied');
  setTimeout(() => {
    button.textContent = text;
    button.classList.remove('copied');
  }, COPIED_MS);
}

document.addEventListener('click', ({ target }) => {
  if (target.dataset?.copy) copy(target);
});

document.addEventListener('submit', (event) => {
  const form = event.target;
  // Not `form.method`: a field of that name hides it.
  if (form.getAttribute('method') !== 'post') return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = 'yes';
  event.submitter?.setAttribute('aria-disabled', 'true');
  setTimeout(() => allowAgain(form), RESEND_AFTER_MS);
});

function allowAgain(form) {
  delete form.dataset.sent;
  form.querySelector('.button').removeAttribute('aria-disabled');
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && source) refresh();
});

addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  stay();
  document.querySelectorAll('form[data-sent]').forEach(allowAgain);
  refresh();
});

watch();
countDown();
takeBack();
offerCopies();
