import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isSepaText, sepaText } from './sepa-text.js';

const SET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-?:().,'+ ";

/** Any text at all, lone surrogates and invisible marks among it. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom(' ', '/', '//', '.', 'ß', 'ä', '\u0308', '\ud83d'),
    maxLength: 99,
  }),
);

describe(isSepaText.name, () => {
  it('takes each sign of the set, and no other', () => {
    const others = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
    expect(others.filter(isSepaText).toSorted()).toEqual([...SET].toSorted());
    expect(isSepaText(SET)).toBe(true);
  });

  it.each(['', 'a\n', '\na', 'ä', 'A & B', '<'])('refuses %j', (text) => {
    expect(isSepaText(text)).toBe(false);
  });
});

describe(sepaText.name, () => {
  it('leaves a text of the set as it is', () => {
    const text = "Az09/-?:().,'+ z";
    expect(sepaText(text, 140)).toBe(text);
  });

  it.each([
    ['German', 'Müller & Söhne, Äußere Öl-Übung', 'Mueller + Soehne, Aeussere Oel-Uebung'],
    ['umlauts in two parts', 'Mu\u0308ller', 'Mueller'],
    ['French', 'Éléonore Çœur', 'Eleonore Coeur'],
    ['Polish', 'Łukasz Żółć', 'Lukasz Zolc'],
    ['Danish and Norwegian', 'Søren Ærø Åse', 'Soren Aero Ase'],
    ['Icelandic', 'Þór Guðmundsson', 'Thor Gudmundsson'],
    ['Romanian', 'Ștefan Țuțea', 'Stefan Tutea'],
    ['Maltese', 'Ħal Għaxaq', 'Hal Ghaxaq'],
    ['Turkish', 'Işık Ğöçmen İnan', 'Isik Goecmen Inan'],
    ['Vietnamese', 'Đặng Thị Huệ', 'Dang Thi Hue'],
    ['Bulgarian', 'Христо Щърбев, Кольо Ямболски', 'Hristo Shtarbev, Kolyo Yambolski'],
    [
      'Serbian and Macedonian',
      'Ђорђе Јовановић, Љубе Џамбазов',
      'Djordje Jovanovic, Ljube Dzhambazov',
    ],
    ['Greek', 'Γιώργος Παπαδόπουλος', 'Giorgos Papadopoylos'],
    ['Georgian', 'გიორგი', 'giorgi'],
    ['Hebrew', 'שלום', 'slvm'],
    ['Chinese', '王小明', 'WangXiaoMing'],
    ['Korean', '김철수', 'GimCheolSu'],
    ['full-width letters', 'ＡＢＣ１２３', 'ABC123'],
    ['typographic signs', 'Bob’s “Shop” – 5 €…', "Bob's 'Shop' - 5 EUR..."],
    ['signs with one like it', 'a_b~c;d[e]{f}\\g|h`i"j&k', "a-b-c,d(e)(f)/g/h'i'j+k"],
    ['signs with none like it', 'a#b*c@d!e=f%g$h^i<j>k', 'a.b.c.d.e.f.g.h.i.j.k'],
    ['private characters', 'a\ue000b\u{10ffff}', 'a.b.'],
    ['half a character', 'a\ud83d b', 'a. b'],
    ['what is not seen', 'a\u00adb\u200b\u2066c\ufeff', 'abc'],
    ['lines and tabs', 'one\r\n\ttwo\u0000three\u2028four', 'one two three four'],
    ['many kinds of blanks', ' \u00a0one\u3000 \u202ftwo  ', 'one two'],
    ['slashes', '//one///two/ /three/ /', 'one/two/ /three'],
    ['slashes that only come out of others', '\\one|/two|', 'one/two'],
  ])('writes %s', (_, text, written) => expect(sepaText(text, 140)).toBe(written));

  it.each(['', '   ', '...', '/ / /', '-', '\u200b', '\ue000\ue001', '&', '\u0301'])(
    'has nothing to write for %j',
    (text) => expect(sepaText(text, 70)).toBeNull(),
  );

  it('cuts what is too long, and no blank or slash is left at the end', () => {
    expect(sepaText('ä'.repeat(70), 70)).toBe('ae'.repeat(35));
    expect(sepaText('ß'.repeat(70), 35)).toBe('s'.repeat(35));
    expect(sepaText('abc def', 4)).toBe('abc');
    expect(sepaText('abc/def', 4)).toBe('abc');
    expect(sepaText('    abc', 3)).toBe('abc');
  });

  it('is all of the set, short enough and tidy, whatever it is given', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 140 }), (text, max) => {
        const written = sepaText(text, max);
        if (written === null) return;
        expect(isSepaText(written)).toBe(true);
        expect(written.length).toBeLessThanOrEqual(max);
        expect(written).not.toMatch(/^[ /]|[ /]$|\/\/| {2}/);
        expect(sepaText(written, max)).toBe(written);
      }),
    );
  });

  it('never loses a letter of the alphabet', () => {
    const letters = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '');
    const text = fc.array(fc.constantFrom(...SET, '#', '\u200b', '\ue000'));
    fc.assert(
      fc.property(text, (chars) => {
        const whole = chars.join('');
        expect(letters(sepaText(whole, 1000) ?? '')).toBe(letters(whole));
      }),
    );
  });
});
