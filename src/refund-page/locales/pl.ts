import type { RefundPageMessages } from '../messages.js';

export const pl: RefundPageMessages = {
  title: 'Twój zwrot',
  why: '{merchant} zwraca Ci {amount}. Bank nie podał nam, z którego konta wpłynęła płatność, dlatego podaj konto, na które mamy przekazać pieniądze.',
  holder: 'Właściciel konta',
  iban: 'IBAN',
  once: 'Sprawdź dane: później nie można ich zmienić.',
  send: 'Zwróć na to konto',
  faults: {
    holder: 'Podaj imię i nazwisko lub nazwę właściciela konta, najwyżej 70 znaków.',
    iban: 'To nie jest prawidłowy IBAN. Porównaj go z kartą lub wyciągiem.',
    unreachable:
      'To konto nie może otrzymywać przelewów w euro. Podaj konto w banku z obszaru SEPA.',
  },
  entered: {
    title: 'Dziękujemy',
    text: '{amount} trafi na konto {account}. Po sprawdzeniu, które trwa co najmniej jeden dzień, przelew zajmuje zwykle od jednego do dwóch dni roboczych.',
    warning: 'Jeśli to nie Ty podałeś to konto, natychmiast skontaktuj się z {merchant}.',
  },
  sent: { title: 'Zwrot został wysłany', text: '{amount} wysłano na konto {account}.' },
  ended: {
    title: 'Ten zwrot jest zakończony',
    text: 'Nie można tu już podać konta. Jeśli nadal oczekujesz pieniędzy, skontaktuj się z {merchant}.',
  },
};
